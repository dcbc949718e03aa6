#pragma once
#include "ui/models/run_table_model.h"
#include <QTableView>
#include <set>
#include <vector>

namespace halfstep::ui {

/// The run table: a click on a header sorts, the search text and "only differences" narrow it, Space checks the
/// selected runs, Ctrl+C copies what shows in full precision, Delete asks to delete.
class CompareTable : public QTableView {
    Q_OBJECT

public:
    explicit CompareTable(RunTableModel* runs, QWidget* parent = nullptr);

    void setFilterText(const QString& text);
    /// Hides the columns in which all rows that show are equal.
    void setOnlyDifferences(bool only);
    std::vector<std::int64_t> selectedRuns() const;

signals:
    void selectedRunsChanged();
    void deletionWanted();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

private:
    void hideEqualColumns();
    void toggleSelected();

    RunTableModel* m_runs;
    RunFilterModel m_filter;
    bool m_onlyDifferences = false;
};

} // namespace halfstep::ui
