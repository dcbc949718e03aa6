#include "ui/widgets/row_table.h"
#include "ui/widgets/theme.h"
#include <QHeaderView>
#include <QTableView>

namespace halfstep::ui {

void setUpRowTable(QTableView& table) {
    table.setSortingEnabled(true);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setAlternatingRowColors(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false); // Tab leaves the table
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(4 * kGrid);
    table.horizontalHeader()->setSectionsMovable(true);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setMinimumSectionSize(6 * kGrid);
}

} // namespace halfstep::ui
