#pragma once
#include "ui/models/history_model.h"
#include "ui/models/run_table_model.h"
#include <QTableView>
#include <vector>

namespace halfstep::ui {

/// The table of runs and sweeps: a click on a header sorts, the search text narrows it, Return or a double click
/// opens, Delete asks to delete, Ctrl+C copies what shows.
class HistoryTable : public QTableView {
    Q_OBJECT

public:
    explicit HistoryTable(HistoryModel* model, QWidget* parent = nullptr);

    void setFilterText(const QString& text);
    /// In the order in which they show.
    std::vector<HistoryEntry> selectedEntries() const;

signals:
    void selectedEntriesChanged();
    void openWanted();
    void deletionWanted();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

private:
    HistoryModel* m_model;
    RunFilterModel m_filter;
};

} // namespace halfstep::ui
