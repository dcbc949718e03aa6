#pragma once
#include "ui/bridge/run_history.h"
#include "ui/models/run_table_model.h"
#include "ui/pages/page.h"
#include <QTimer>
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
class ComparePage : public Page {
    Q_OBJECT

public:
    /// How long a deletion can be undone, in milliseconds.
    static constexpr int kUndoTime = 8000;

    explicit ComparePage(const AppContext& context, QWidget* parent = nullptr);
    /// A deletion that has not been undone is carried out.
    ~ComparePage() override;

    void setTheme(const Theme& theme) override;
    void exportShown() override;
    void historyChanged() override;

    RunTableModel& runs() { return m_runs; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTools();
    void takeRuns(const std::vector<store::StoredRun>& runs);
    void takeRecords(const std::shared_ptr<const RunRecords>& records);
    void readChecked();
    void drawChecked();
    void tellSelection();
    void deleteSelected();
    void undoDelete();
    void carryOutDelete();
    void exportSteps();

    AppContext m_context;
    RunTableModel m_runs;
    std::map<std::int64_t, std::shared_ptr<const RunRecords>> m_records; ///< of runs that have been checked
    std::set<std::int64_t> m_asked;                                      ///< for records that have yet to come
    std::set<std::int64_t> m_deleted;                                    ///< hidden, can be undone
    std::set<std::int64_t> m_leaving;                                    ///< hidden, being deleted
    QTimer m_undoTimer;

    Banner* m_banner;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    CompareTable* m_table;
    QPushButton* m_export = nullptr;
    QPushButton* m_delete = nullptr;
    QLabel* m_sentences;
    BarChart* m_bars;
    CompareCurves* m_curves;
    QSplitter* m_splitter;

    RunHistory m_history; ///< last: it waits for its thread first
};

} // namespace halfstep::ui
