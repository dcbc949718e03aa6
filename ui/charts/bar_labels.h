#pragma once
#include "ui/widgets/theme.h"
#include <QGraphicsItem>
#include <QString>
#include <optional>
#include <vector>

class QAbstractSeries;
class QChart;

namespace halfstep::ui {

/// Value and interval of one drawn bar, in the chart's values; x counts groups from 0.
struct BarLabel {
    double x = 0;
    double value = 0;
    std::optional<double> low{}, high{};
    QString text{};
};

/// What Qt's bars lack: the value above each bar, and a whisker over its interval. Painted in front of the series,
/// so that exports have them too.
class BarLabels : public QGraphicsItem {
public:
    /// `series` gives the scale; chart and series outlive the item, which the chart owns.
    BarLabels(QChart& chart, QAbstractSeries& series, const Theme& theme, std::vector<BarLabel> labels);

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QChart& m_chart;
    QAbstractSeries& m_series;
    Theme m_theme;
    std::vector<BarLabel> m_labels;
};

} // namespace halfstep::ui
