#pragma once
#include "ui/widgets/theme.h"
#include <QStyledItemDelegate>

namespace halfstep::ui {

struct CellLook;

/// Paints a cell of the grid of a sweep: its ms per step large, the interval small, and the plain word. A cell that
/// is out of memory is hatched, one that was disturbed bears a sign, one that is being measured the accent.
class SweepCellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kHeight = 9 * kGrid;
    static constexpr int kHeightWithArticle = 11 * kGrid;

    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme& theme) { m_theme = theme; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintGround(QPainter& painter, const QStyleOptionViewItem& option, const CellLook* look) const;
    void paintLook(QPainter& painter, const QRect& room, const CellLook& look) const;
    QColor colourOf(const CellLook& look) const;

    Theme m_theme = themeFor(ThemeKind::Light);
};

} // namespace halfstep::ui
