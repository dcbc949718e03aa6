#include "ui/charts/bar_labels.h"
#include <QAbstractSeries>
#include <QChart>
#include <QPainter>
#include <algorithm>

namespace halfstep::ui {

BarLabels::BarLabels(QChart& chart, QAbstractSeries& series, const Theme& theme, std::vector<BarLabel> labels)
    : QGraphicsItem(&chart),
      m_chart(chart),
      m_series(series),
      m_theme(theme),
      m_labels(std::move(labels)) {
    setZValue(100);
    setAcceptedMouseButtons(Qt::NoButton);
}

QRectF BarLabels::boundingRect() const {
    return m_chart.rect();
}

void BarLabels::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(11);
    painter->setFont(font);
    painter->setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(font);
    for (const BarLabel& label : m_labels) {
        double top = label.value;
        painter->setPen(QPen(m_theme.text, 1.2));
        if (label.low && label.high) {
            const QPointF low = m_chart.mapToPosition({label.x, *label.low}, &m_series);
            const QPointF high = m_chart.mapToPosition({label.x, *label.high}, &m_series);
            painter->drawLine(low, high);
            painter->drawLine(low - QPointF(4, 0), low + QPointF(4, 0));
            painter->drawLine(high - QPointF(4, 0), high + QPointF(4, 0));
            top = std::max(top, *label.high);
        }
        const QPointF above = m_chart.mapToPosition({label.x, top}, &m_series);
        const double width = metrics.horizontalAdvance(label.text);
        painter->drawText(QPointF(above.x() - width / 2, above.y() - 5), label.text);
    }
}

} // namespace halfstep::ui
