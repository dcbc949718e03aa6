#include "ui/pages/sweep_cell_delegate.h"
#include "ui/models/sweep_grid_model.h"
#include <QPainter>

namespace halfstep::ui {
namespace {

using values::CellStatus;

constexpr int kLargeFont = 17, kPlainFont = 13, kSmallFont = 11;
constexpr int kLine = 16; ///< pixels between two small lines

QFont sized(QFont font, int pixels, bool bold) {
    font.setPixelSize(pixels);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

void drawLine(QPainter& painter, const QRect& room, Qt::Alignment alignment, const QFont& font, const QColor& colour,
              const QString& text) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(room, static_cast<int>(alignment) | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
}

} // namespace

QColor SweepCellDelegate::colourOf(const CellLook& look) const {
    switch (look.tone) {
    case Tone::Good:
        return m_theme.success;
    case Tone::Bad:
        return m_theme.danger;
    case Tone::Warning:
        return m_theme.warning;
    case Tone::Muted:
        break;
    }
    return m_theme.mutedText;
}

void SweepCellDelegate::paintGround(QPainter& painter, const QStyleOptionViewItem& option,
                                    const CellLook* look) const {
    const QRect& rect = option.rect;
    if (option.state & QStyle::State_Selected) {
        QColor selected = m_theme.accent;
        selected.setAlphaF(m_theme.kind == ThemeKind::Dark ? 0.28F : 0.16F);
        painter.fillRect(rect, selected);
    }
    if (look != nullptr && look->status == CellStatus::Oom) {
        painter.fillRect(rect, QBrush(m_theme.border, Qt::BDiagPattern));
    } else if (look != nullptr && (look->status == CellStatus::Unsupported || look->status == CellStatus::Failed)) {
        painter.fillRect(rect, m_theme.shade);
    }
    if (look != nullptr && look->measuring) {
        painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), m_theme.accent);
    }
    painter.setPen(m_theme.border);
    painter.drawLine(rect.bottomLeft(), rect.bottomRight());
    if (option.state & QStyle::State_HasFocus) {
        painter.setPen(m_theme.accent);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
}

void SweepCellDelegate::paintLook(QPainter& painter, const QRect& room, const CellLook& look) const {
    const QFont font = painter.font();
    if (look.large.isEmpty()) { // the article's alone
        drawLine(painter, room, Qt::AlignLeft, sized(font, kSmallFont, false), m_theme.mutedText, look.article);
        return;
    }
    const bool large = look.sort || look.status == CellStatus::Oom;
    QRect line(room.left(), room.top() + 5, room.width(), 24);
    drawLine(painter, line, Qt::AlignLeft, sized(font, large ? kLargeFont : kPlainFont, true),
             look.sort                        ? m_theme.text
             : look.status == CellStatus::Oom ? m_theme.warning
                                              : m_theme.mutedText,
             look.large);
    if (look.status == CellStatus::Disturbed) {
        drawLine(painter, line, Qt::AlignRight, sized(font, kSmallFont, true), m_theme.warning,
                 QStringLiteral("⚠ disturbed"));
    }
    line = QRect(room.left(), line.bottom() + 1, room.width(), kLine);
    drawLine(painter, line, Qt::AlignLeft, sized(font, kSmallFont, false), m_theme.mutedText, look.small);
    line.translate(0, kLine);
    drawLine(painter, line, Qt::AlignLeft, sized(font, kPlainFont - 1, true),
             look.measuring ? m_theme.accent : colourOf(look), look.word);
    line.translate(0, kLine);
    drawLine(painter, line, Qt::AlignLeft, sized(font, kSmallFont, false), m_theme.mutedText, look.article);
}

void SweepCellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QVariant value = index.data(SweepGridModel::kLookRole);
    painter->save();
    painter->setClipRect(option.rect);
    painter->setFont(option.font);
    const QRect room = option.rect.adjusted(kGrid, 0, -kGrid, 0); // as the header has it
    if (!value.isValid()) {
        paintGround(*painter, option, nullptr);
        drawLine(*painter, room, Qt::AlignLeft, sized(option.font, kPlainFont, true), m_theme.text,
                 index.data().toString());
    } else {
        const auto look = value.value<CellLook>();
        paintGround(*painter, option, &look);
        paintLook(*painter, room, look);
    }
    painter->restore();
}

} // namespace halfstep::ui
