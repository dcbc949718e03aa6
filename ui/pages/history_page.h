#pragma once
#include "ui/bridge/run_history.h"
#include "ui/models/history_model.h"
#include "ui/pages/page.h"
#include "ui/widgets/undoable_removal.h"
#include <set>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace halfstep::ui {

class Banner;
class EmptyState;
class HistoryDetail;
class HistoryTable;

/// Every run and sweep, with its state: search, open, compare, go on, export, delete with undo.
class HistoryPage : public Page {
    Q_OBJECT

public:
    explicit HistoryPage(const AppContext& context, QWidget* parent = nullptr);
    /// A deletion that has not been undone is carried out.
    ~HistoryPage() override;

    void setTheme(const Theme&) override {}
    void exportShown() override { exportSelected(); }
    void historyChanged() override;
    /// Why nothing can be opened or gone on with now, as a sentence; empty if it can.
    void setBusy(const QString& sentence);

    HistoryModel& entries() { return m_entries; }
    HistoryTable* table() const { return m_table; }
    Banner* banner() const { return m_banner; }
    Banner* undoBanner() const { return m_undo; }
    /// Exports these entries to `file`: one by the file's ending as one of a run's or a sweep's kinds of files, or a
    /// report (.html); several as a report.
    void exportTo(const std::set<EntryKey>& keys, const QString& file);
    std::set<EntryKey> selectedKeys() const;
    /// What was deleted and can still be undone is gone from now on.
    void carryOutDeletion() { m_removal.carryOut(); }

signals:
    void openRunWanted(std::int64_t run);
    void openSweepWanted(std::int64_t sweep);
    void compareWanted(const std::vector<std::int64_t>& runs);
    void resumeRunWanted(const halfstep::store::StoredRun& run);
    void resumeSweepWanted(std::int64_t sweep);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTools();
    void read();
    void take();
    void tellSelection();
    void open();
    void compare();
    void resume();
    void exportSelected();
    void deleteSelected();

    AppContext m_context;
    HistoryModel m_entries;
    std::vector<store::StoredRun> m_runs;
    std::set<EntryKey> m_leaving; ///< hidden, being deleted; read() follows
    QString m_busy;
    bool m_read = false; ///< runs and sweeps have come once

    Banner* m_banner;
    Banner* m_undo; ///< of its own, so that no other message takes its place
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    HistoryTable* m_table;
    HistoryDetail* m_detail;
    QPushButton* m_open;
    QPushButton* m_compare;
    QPushButton* m_resume;
    QPushButton* m_export;
    QPushButton* m_delete;
    UndoableRemoval m_removal;

    RunHistory m_history; ///< last: it waits for its thread first
};

} // namespace halfstep::ui
