#include "ui/pages/history_table.h"
#include "ui/models/table_text.h"
#include "ui/widgets/row_table.h"
#include <QKeyEvent>
#include <algorithm>
#include <array>

namespace halfstep::ui {
namespace {

/// Widths that fit the widest usual value, in pixels at the default font.
constexpr std::array<int, kHistoryColumns> kWidths{72, 80, 152, 232, 176, 152, 72, 112, 120};

} // namespace

HistoryTable::HistoryTable(HistoryModel* model, QWidget* parent) : QTableView(parent), m_model(model) {
    setObjectName(QStringLiteral("historyTable"));
    setAccessibleName(tr("Runs and sweeps"));
    m_filter.setSourceModel(model);
    setModel(&m_filter);
    setUpRowTable(*this);
    sortByColumn(static_cast<int>(HistoryColumn::Started), Qt::DescendingOrder);
    for (int column = 0; column < kHistoryColumns; ++column) {
        setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    }
    installTableCopy(this);
    connect(this, &QTableView::doubleClicked, this, &HistoryTable::openWanted);
}

void HistoryTable::setFilterText(const QString& text) {
    m_filter.setFilterText(text);
}

std::vector<HistoryEntry> HistoryTable::selectedEntries() const {
    QModelIndexList rows = selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    std::vector<HistoryEntry> entries;
    for (const QModelIndex& row : rows) {
        entries.push_back(m_model->entryAt(m_filter.mapToSource(row).row()));
    }
    return entries;
}

void HistoryTable::keyPressEvent(QKeyEvent* event) {
    const bool any = selectionModel()->hasSelection();
    if (event->key() == Qt::Key_Delete && any) {
        emit deletionWanted();
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
               (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier && any) {
        emit openWanted();
    } else {
        QTableView::keyPressEvent(event);
    }
}

void HistoryTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    emit selectedEntriesChanged();
}

} // namespace halfstep::ui
