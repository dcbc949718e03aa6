#include "ui/pages/data_grid.h"
#include "ui/models/photograph_model.h"
#include <QImage>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>

namespace halfstep::ui {
namespace {
constexpr int kCaption = 3 * kGrid;
constexpr int kCellWidth = DataGrid::kThumbnail + 2 * kGrid;
constexpr int kCellHeight = DataGrid::kThumbnail + kCaption + 2 * kGrid;
} // namespace

class DataGrid::Delegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    Theme theme = themeFor(ThemeKind::Light);

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {kCellWidth, kCellHeight};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        const QRect cell = option.rect;
        const QRect picture(cell.center().x() - kThumbnail / 2 + 1, cell.top() + kGrid, kThumbnail, kThumbnail);
        const auto image = index.data(Qt::DecorationRole).value<QImage>();
        if (image.isNull()) {
            painter->fillRect(picture, theme.shade);
        } else {
            painter->drawImage(picture, image);
        }
        const bool chosen = option.state & QStyle::State_Selected;
        if (chosen) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(theme.accent, 3));
            painter->drawRoundedRect(QRectF(picture).adjusted(-3, -3, 3, 3), 4, 4);
        }
        painter->setPen(chosen ? theme.text : theme.mutedText);
        const QRect caption(picture.left(), picture.bottom() + 5, kThumbnail, kCaption - 4);
        painter->drawText(caption, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data(PhotographModel::ClassNameRole).toString(),
                                                        Qt::ElideRight, caption.width()));
        painter->restore();
    }
};

DataGrid::DataGrid(QWidget* parent) : QListView(parent), m_delegate(new Delegate(this)) {
    setObjectName(QStringLiteral("dataGrid"));
    setAccessibleName(QStringLiteral("Photographs"));
    setItemDelegate(m_delegate);
    // Rows that wrap: the same picture as IconMode, whose tree of item rectangles costs much more for 10 000 items.
    setViewMode(QListView::ListMode);
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setResizeMode(QListView::Adjust);
    setMovement(QListView::Static);
    setUniformItemSizes(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // or the columns would jump when the filter shortens the list
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    viewport()->setAutoFillBackground(false);
    verticalScrollBar()->setSingleStep(6 * kGrid);
    connect(this, &QListView::doubleClicked, this, &DataGrid::opened);
    fitColumns();
}

void DataGrid::setTheme(const Theme& theme) {
    m_delegate->theme = theme;
    viewport()->update();
}

void DataGrid::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid() &&
        event->modifiers() == Qt::NoModifier) {
        emit opened(currentIndex());
        return;
    }
    QListView::keyPressEvent(event);
}

void DataGrid::resizeEvent(QResizeEvent* event) {
    fitColumns();
    QListView::resizeEvent(event);
}

void DataGrid::fitColumns() {
    const int width = viewport()->width() - 1; // QListView wraps an item that touches the edge
    const int columns = std::max(1, width / kCellWidth);
    setGridSize({std::max(kCellWidth, width / columns), kCellHeight});
}

} // namespace halfstep::ui
