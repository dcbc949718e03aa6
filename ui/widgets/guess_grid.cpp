#include "ui/widgets/guess_grid.h"
#include "ui/format/format.h"
#include "ui/widgets/theme.h"
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace halfstep::ui {

namespace {
constexpr int kTextHeight = 34; ///< two lines under a photograph
} // namespace

GuessGrid::GuessGrid(QWidget* parent) : QWidget(parent) {
    setMinimumSize(24 * kGrid, 12 * kGrid);
    setAccessibleName(tr("Validation photographs"));
}

void GuessGrid::setTiles(std::vector<GuessTile> tiles) {
    m_tiles = std::move(tiles);
    const auto right = std::ranges::count_if(m_tiles, &GuessTile::right);
    setAccessibleDescription(tr("%1 of %2 guesses are right").arg(right).arg(m_tiles.size()));
    update();
}

void GuessGrid::setColours(const QColor& right, const QColor& wrong) {
    m_right = right;
    m_wrong = wrong;
    update();
}

QRect GuessGrid::tileRect(std::size_t index) const {
    // As many columns as make the photographs largest.
    const int n = static_cast<int>(std::max<std::size_t>(m_tiles.size(), 1));
    int columns = 1;
    int side = 0;
    for (int tried = 1; tried <= n; ++tried) {
        const int rows = (n + tried - 1) / tried;
        const int fitting =
            std::min((width() - (tried - 1) * kGrid) / tried, (height() - (rows - 1) * kGrid) / rows - kTextHeight);
        if (fitting > side) {
            side = fitting;
            columns = tried;
        }
    }
    const int cell = (width() - (columns - 1) * kGrid) / columns; // text may be wider than its photograph
    const int column = static_cast<int>(index) % columns;
    const int row = static_cast<int>(index) / columns;
    return {column * (cell + kGrid), row * (side + kTextHeight + kGrid), cell, side + kTextHeight};
}

void GuessGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QColor muted = palette().color(QPalette::PlaceholderText);
    const QColor text = palette().color(QPalette::WindowText);
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    const QFontMetrics metrics(small);
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        const GuessTile& tile = m_tiles[i];
        const QRect area = tileRect(i);
        const int side = std::min(area.height() - kTextHeight, area.width());
        if (side < 8) {
            continue;
        }
        const QRect photograph(area.left(), area.top(), side, side);
        QPainterPath rounded;
        rounded.addRoundedRect(photograph, 4, 4);
        painter.save();
        painter.setClipPath(rounded);
        painter.drawImage(photograph, tile.image);
        painter.restore();

        const int line = kTextHeight / 2 - 1;
        const QRect first(area.left(), photograph.bottom() + 3, area.width(), line);
        const QRect second = first.translated(0, line - 2);
        const QString mark = tile.right ? QStringLiteral("✓ ") : QStringLiteral("✕ ");
        const int markWidth = metrics.horizontalAdvance(mark);
        painter.setPen(tile.right ? m_right : m_wrong);
        painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, mark);
        painter.setPen(text);
        painter.drawText(first.adjusted(markWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(tile.guess, Qt::ElideRight, area.width() - markWidth));
        painter.setPen(muted);
        const QString below = tile.right ? percent(tile.probability, 0) : tr("is %1").arg(tile.truth);
        painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(below, Qt::ElideRight, area.width()));
    }
}

bool GuessGrid::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (std::size_t i = 0; i < m_tiles.size(); ++i) {
            if (tileRect(i).contains(help->pos())) {
                const GuessTile& tile = m_tiles[i];
                QToolTip::showText(help->globalPos(),
                                   tr("It is %1. The network says %2 (%3 sure).")
                                       .arg(tile.truth, tile.guess, percent(tile.probability, 0)),
                                   this);
                return true;
            }
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace halfstep::ui
