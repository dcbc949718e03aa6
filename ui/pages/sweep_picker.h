#pragma once
#include "engine/measure/sweep.h"
#include "ui/bridge/sweep_history.h"
#include <QWidget>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;

namespace halfstep::ui {

/// Which sweep of the history shows, what it was measured with, which machine of the article stands beside it, and
/// what can be done with it: go on, more rounds, measure disturbed cells again, export.
class SweepPicker : public QWidget {
    Q_OBJECT

public:
    explicit SweepPicker(QWidget* parent = nullptr);

    void setSweeps(const std::vector<SweepEntry>& sweeps);
    /// The sweep that shows; null: none. `reason` says why nothing can be measured now, or is empty.
    void setShown(const MeasuredSweepPtr& shown, bool measuring, const QString& reason);
    void choose(std::int64_t sweep);
    std::optional<std::int64_t> chosen() const;
    QString caption() const;

    QComboBox* sweeps() const { return m_sweeps; }
    QComboBox* article() const { return m_article; }
    QPushButton* resumeButton() const { return m_resume; }
    QPushButton* moreButton() const { return m_more; }
    QPushButton* againButton() const { return m_again; }

signals:
    void sweepChosen(std::int64_t sweep);
    /// Index into analysis::articleMachines(); -1: none.
    void articleChosen(int machine);
    void continuationWanted(const halfstep::measure::SweepContinuation& continuation);
    void exportWanted();

private:
    MeasuredSweepPtr m_shown;
    std::vector<SweepEntry> m_entries;
    QComboBox* m_sweeps;
    QComboBox* m_article;
    QLabel* m_caption;
    QPushButton* m_resume;
    QPushButton* m_more;
    QPushButton* m_again;
    QPushButton* m_export;
};

} // namespace halfstep::ui
