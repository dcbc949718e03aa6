#include "ui/pages/sweep_grid.h"
#include "ui/models/table_text.h"
#include "ui/pages/sweep_cell_delegate.h"
#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <algorithm>

namespace halfstep::ui {
namespace {

using values::CellStatus;

constexpr int kLeadingWidth = 12 * kGrid;
constexpr int kNarrowestCell = 19 * kGrid;

} // namespace

SweepGrid::SweepGrid(QWidget* parent) : QTableView(parent), m_delegate(new SweepCellDelegate(this)) {
    setObjectName(QStringLiteral("sweepGrid"));
    setAccessibleName(tr("ms per step by batch size and policy"));
    m_sorted.setSourceModel(&m_model);
    setModel(&m_sorted);
    setItemDelegate(m_delegate);
    setSortingEnabled(true);
    sortByColumn(0, Qt::AscendingOrder);
    setSelectionBehavior(QAbstractItemView::SelectItems);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setTabKeyNavigation(false); // Tab leaves the table
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(SweepCellDelegate::kHeight);
    verticalHeader()->setDefaultSectionSize(SweepCellDelegate::kHeight);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    installBlockCopy(this);
    auto* again = new QAction(tr("Measure the selected cells again"), this);
    connect(again, &QAction::triggered, this, &SweepGrid::remeasureSelected);
    addAction(again);
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &SweepGrid::askColumns);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &SweepGrid::layOutColumns);
}

void SweepGrid::setSweep(const MeasuredSweepPtr& sweep) {
    m_model.setSweep(sweep);
}

void SweepGrid::setArticle(const analysis::ArticleMachine* machine) {
    verticalHeader()->setDefaultSectionSize(machine == nullptr ? SweepCellDelegate::kHeight
                                                               : SweepCellDelegate::kHeightWithArticle);
    m_model.setArticle(machine);
}

void SweepGrid::setTheme(const Theme& theme) {
    m_delegate->setTheme(theme);
    viewport()->update();
}

void SweepGrid::layOutColumns() {
    const int leading = m_model.leadingColumns(), policies = m_model.columnCount() - leading;
    if (policies <= 0) {
        return;
    }
    const int width = std::max((viewport()->width() - leading * kLeadingWidth) / policies, kNarrowestCell);
    for (int column = 0; column < m_model.columnCount(); ++column) {
        setColumnWidth(column, column < leading ? kLeadingWidth : width);
    }
}

void SweepGrid::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOutColumns();
}

void SweepGrid::choose(const QModelIndex& index) {
    const int cell = index.data(SweepGridModel::kCellRole).toInt();
    const auto look = index.data(SweepGridModel::kLookRole).value<CellLook>();
    const bool runs = look.sort || look.status == CellStatus::NotRun;
    if (index.isValid() && cell >= 0 && runs) { // of one that does not fit or does not run, its text says why
        emit cellChosen(static_cast<std::size_t>(cell));
    }
}

void SweepGrid::mousePressEvent(QMouseEvent* event) {
    const bool plain = event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier;
    m_pressedAt = event->position().toPoint();
    m_pressed = plain ? indexAt(m_pressedAt) : QModelIndex();
    QTableView::mousePressEvent(event);
}

void SweepGrid::mouseReleaseEvent(QMouseEvent* event) {
    QTableView::mouseReleaseEvent(event);
    const QPoint at = event->position().toPoint();
    const bool click = (at - m_pressedAt).manhattanLength() < QApplication::startDragDistance();
    const QModelIndex pressed = m_pressed;
    m_pressed = QModelIndex();
    if (click && pressed.isValid() && pressed == indexAt(at)) {
        choose(pressed);
    }
}

void SweepGrid::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        choose(currentIndex());
    } else {
        QTableView::keyPressEvent(event);
    }
}

void SweepGrid::remeasureSelected() {
    std::vector<std::size_t> cells;
    for (const QModelIndex& index : selectionModel()->selectedIndexes()) {
        if (const int cell = index.data(SweepGridModel::kCellRole).toInt(); cell >= 0) {
            cells.push_back(static_cast<std::size_t>(cell));
        }
    }
    std::ranges::sort(cells);
    if (!cells.empty()) {
        emit remeasureWanted(cells);
    }
}

void SweepGrid::askColumns(const QPoint& at) {
    QMenu menu(this);
    for (int column = m_model.leadingColumns(); column < m_model.columnCount(); ++column) {
        QAction* shown = menu.addAction(tr("Show %1").arg(m_model.headerData(column, Qt::Horizontal).toString()));
        shown->setCheckable(true);
        shown->setChecked(!isColumnHidden(column));
        connect(shown, &QAction::toggled, this, [this, column](bool on) { setColumnHidden(column, !on); });
    }
    menu.exec(horizontalHeader()->mapToGlobal(at));
}

} // namespace halfstep::ui
