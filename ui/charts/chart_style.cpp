#include "ui/charts/chart_style.h"
#include <QAbstractAxis>
#include <QChart>
#include <QFont>
#include <QGraphicsLayout>
#include <QLegend>
#include <QPen>

namespace halfstep::ui {

namespace {

QFont chartFont(int pixels, QFont::Weight weight = QFont::Normal) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

} // namespace

void styleChart(QChart& chart, const Theme& theme, const QString& title) {
    chart.setAnimationOptions(QChart::NoAnimation);
    chart.setBackgroundBrush(theme.card);
    chart.setBackgroundPen(Qt::NoPen);
    chart.setBackgroundRoundness(0); // exports would have clear corners
    chart.setPlotAreaBackgroundVisible(false);
    chart.setMargins(title.isEmpty() ? QMargins(0, 0, 0, 0) : QMargins(16, 16, 16, 16));
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    chart.setTitle(title);
    chart.setTitleFont(chartFont(16, QFont::DemiBold));
    chart.setTitleBrush(theme.text);
    chart.legend()->setAlignment(Qt::AlignTop);
    chart.legend()->setFont(chartFont(11));
    chart.legend()->setLabelColor(theme.text);
    chart.legend()->setBackgroundVisible(false);
    chart.legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    chart.legend()->setShowToolTips(false);
    chart.legend()->setContentsMargins(0, 0, 0, 0);
    chart.legend()->layout()->setContentsMargins(0, 0, 0, 0);
}

void styleAxis(QAbstractAxis& axis, const Theme& theme) {
    axis.setLabelsFont(chartFont(11));
    axis.setLabelsColor(theme.mutedText);
    axis.setTitleFont(chartFont(11));
    axis.setTitleBrush(theme.mutedText);
    axis.setGridLinePen(QPen(theme.gridLine, 1));
    axis.setLinePen(QPen(theme.border, 1));
}

} // namespace halfstep::ui
