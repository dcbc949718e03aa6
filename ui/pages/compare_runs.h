#pragma once
#include "ui/bridge/app_context.h"
#include "ui/bridge/run_history.h"
#include "ui/models/run_table_model.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/undoable_removal.h"
#include <QWidget>
#include <map>
#include <memory>
#include <set>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace halfstep::ui {

class Banner;
class BarChart;
class CompareCurves;
class CompareTable;
class EmptyState;

/// The runs of the history side by side: a table with check boxes, and of the checked ones what the step times say,
/// as sentences and bars, and the curves overlaid.
class CompareRuns : public QWidget {
    Q_OBJECT

public:
    explicit CompareRuns(const AppContext& context, QWidget* parent = nullptr);
    /// A deletion that has not been undone is carried out.
    ~CompareRuns() override;

    void setTheme(const Theme& theme);
    /// Offers the chart that has the focus, or the bars; says so here if there is nothing yet.
    void exportShown();
    /// A run has begun, ended or been deleted.
    void historyChanged();

    RunTableModel& runs() { return m_runs; }
    Banner* banner() const { return m_banner; }
    Banner* undoBanner() const { return m_undo; }
    /// What was deleted and can still be undone is gone from now on.
    void carryOutDeletion() { m_removal.carryOut(); }

signals:
    /// The empty state offers to start an experiment.
    void experimentWanted();
    /// Runs have been deleted here.
    void historyEdited();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTools();
    void takeRuns(const std::vector<store::StoredRun>& runs);
    void takeRecords(const std::shared_ptr<const RunRecords>& records);
    void readChecked();
    void drawChecked();
    void tell(const QStringList& times, const QStringList& accuracies);
    void tellSelection();
    void deleteSelected();
    void exportSteps();

    AppContext m_context;
    RunTableModel m_runs;
    std::map<std::int64_t, std::shared_ptr<const RunRecords>> m_records; ///< of runs that have been checked
    std::set<std::int64_t> m_asked;                                      ///< for records that have yet to come
    std::set<std::int64_t> m_leaving;                                    ///< hidden, being deleted

    Banner* m_banner;
    Banner* m_undo; ///< of its own, so that no other message takes its place
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    CompareTable* m_table;
    QPushButton* m_export = nullptr;
    QPushButton* m_delete = nullptr;
    QLabel* m_sentences;
    BarChart* m_bars;
    CompareCurves* m_curves;
    QSplitter* m_splitter;
    UndoableRemoval m_removal;

    RunHistory m_history; ///< last: it waits for its thread first
};

} // namespace halfstep::ui
