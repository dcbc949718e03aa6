#include "ui/pages/compare_table.h"
#include "ui/models/table_text.h"
#include "ui/widgets/row_table.h"
#include <QKeyEvent>
#include <algorithm>
#include <array>

namespace halfstep::ui {
namespace {

/// Widths that fit the widest usual value, in pixels at the default font.
constexpr std::array<int, kRunColumns> kWidths{64, 96, 88, 152, 64, 88, 96, 88, 112, 64, 88, 72, 64, 80, 152};

} // namespace

CompareTable::CompareTable(RunTableModel* runs, QWidget* parent) : QTableView(parent), m_runs(runs) {
    setObjectName(QStringLiteral("runTable"));
    setAccessibleName(tr("Runs"));
    m_filter.setSourceModel(runs);
    setModel(&m_filter);
    setUpRowTable(*this);
    sortByColumn(static_cast<int>(RunColumn::Run), Qt::DescendingOrder);
    for (int column = 0; column < kRunColumns; ++column) {
        setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    }
    installTableCopy(this);
    connect(&m_filter, &QAbstractItemModel::modelReset, this, &CompareTable::hideEqualColumns);
    connect(&m_filter, &QAbstractItemModel::rowsInserted, this, &CompareTable::hideEqualColumns);
    connect(&m_filter, &QAbstractItemModel::rowsRemoved, this, &CompareTable::hideEqualColumns);
    connect(&m_filter, &QAbstractItemModel::dataChanged, this, &CompareTable::hideEqualColumns);
}

void CompareTable::setFilterText(const QString& text) {
    m_filter.setFilterText(text);
}

void CompareTable::setOnlyDifferences(bool only) {
    m_onlyDifferences = only;
    hideEqualColumns();
}

void CompareTable::hideEqualColumns() {
    // One row differs from nothing: then everything shows. The run's number and check box always do.
    const bool narrow = m_onlyDifferences && m_filter.rowCount() > 1;
    const std::set<int> differing = narrow ? m_filter.differingColumns() : std::set<int>{};
    for (int column = 1; column < kRunColumns; ++column) {
        setColumnHidden(column, narrow && !differing.contains(column));
    }
}

std::vector<std::int64_t> CompareTable::selectedRuns() const {
    std::vector<std::int64_t> runs;
    QModelIndexList rows = selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    for (const QModelIndex& row : rows) {
        runs.push_back(row.data(RunTableModel::kRunRole).toLongLong());
    }
    return runs;
}

void CompareTable::toggleSelected() {
    const std::vector<std::int64_t> selected = selectedRuns();
    const std::vector<std::int64_t> checked = m_runs->checkedRuns();
    const bool all = std::ranges::all_of(
        selected, [&](std::int64_t run) { return std::ranges::find(checked, run) != checked.end(); });
    for (const std::int64_t run : selected) {
        m_runs->setChecked(run, !all);
    }
}

void CompareTable::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
        toggleSelected();
    } else if (event->key() == Qt::Key_Delete && !selectedRuns().empty()) {
        emit deletionWanted();
    } else {
        QTableView::keyPressEvent(event);
    }
}

void CompareTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    emit selectedRunsChanged();
}

} // namespace halfstep::ui
