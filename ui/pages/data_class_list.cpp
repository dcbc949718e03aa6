#include "ui/pages/data_class_list.h"
#include "ui/format/format.h"
#include <QPainter>
#include <QStyledItemDelegate>
#include <utility>

namespace halfstep::ui {
namespace {
constexpr int kRowHeight = 5 * kGrid;
constexpr int kBarHeight = 4;
} // namespace

/// Name at the left, count at the right, the bar under both.
class DataClassList::Delegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    Theme theme = themeFor(ThemeKind::Light);

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {120, kRowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool chosen = option.state & QStyle::State_Selected;
        const QRectF row = QRectF(option.rect).adjusted(0, 1, 0, -1);
        if (chosen || (option.state & QStyle::State_MouseOver)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.shade);
            painter->drawRoundedRect(row, 6, 6);
        }
        if (chosen) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.accent);
            painter->drawRoundedRect(QRectF(row.left(), row.top() + 6, 3, row.height() - 12), 1.5, 1.5);
        }
        const QRect inner = option.rect.adjusted(2 * kGrid, 0, -kGrid, 0);
        const QVariant share = index.data(ClassModel::ShareRole);
        const QRect line = share.isValid() ? inner.adjusted(0, 6, 0, -14) : inner;
        const QString number = count(index.data(ClassModel::CountRole).toLongLong());
        const int numberWidth = option.fontMetrics.horizontalAdvance(number);
        painter->setPen(theme.mutedText);
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, number);
        QFont font = option.font;
        font.setWeight(chosen ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->setPen(theme.text);
        const QFontMetrics metrics(font);
        painter->drawText(
            line, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(index.data().toString(), Qt::ElideRight, line.width() - numberWidth - kGrid));
        if (share.isValid()) {
            const QRectF track(inner.left(), option.rect.bottom() - 9, inner.width(), kBarHeight);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.gridLine);
            painter->drawRoundedRect(track, kBarHeight / 2.0, kBarHeight / 2.0);
            painter->setBrush(theme.accent);
            const QRectF bar(track.topLeft(), QSizeF(track.width() * share.toDouble(), kBarHeight));
            painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
        }
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(QPen(theme.accent, 1.5));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(row.adjusted(1, 0, -1, 0), 6, 6);
        }
        painter->restore();
    }
};

DataClassList::DataClassList(QWidget* parent) : QListView(parent), m_delegate(new Delegate(this)) {
    setObjectName(QStringLiteral("dataClasses"));
    setAccessibleName(QStringLiteral("Classes"));
    setModel(&m_model);
    setItemDelegate(m_delegate);
    setUniformItemSizes(true);
    setFrameShape(QFrame::NoFrame);
    viewport()->setAutoFillBackground(false);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void DataClassList::setSource(const data::DatasetInfo& info, data::Split split) {
    m_model.setSource(info.classes, split);
    if (!currentIndex().isValid() && m_model.rowCount() > 0) {
        setCurrentIndex(m_model.index(0));
    }
}

void DataClassList::setTheme(const Theme& theme) {
    m_delegate->theme = theme;
    viewport()->update();
}

std::optional<int> DataClassList::label() const {
    return ClassModel::labelAt(currentIndex().row());
}

void DataClassList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    emit labelChosen(ClassModel::labelAt(current.row()));
}

} // namespace halfstep::ui
