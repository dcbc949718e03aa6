#pragma once
#include "engine/values/profile.h"
#include "ui/widgets/theme.h"
#include <QGraphicsItem>
#include <optional>
#include <utility>
#include <vector>

class QAbstractSeries;
class QChart;

namespace halfstep::ui {

/// The bars of a StepBarChart: an item of its own, since every segment has its own border and name.
class StepBars : public QGraphicsItem {
public:
    /// Adds axes and itself to an empty chart, which owns it and outlives it.
    static StepBars* addTo(QChart& chart, const std::vector<values::StepProfile>& profiles, const Theme& theme);

    /// Profile and part under a position of the chart.
    std::optional<std::pair<std::size_t, std::size_t>> at(const QPointF& position) const;
    void highlight(std::size_t profile, std::optional<std::size_t> part);

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    StepBars(QChart& chart, QAbstractSeries& series, const std::vector<values::StepProfile>& profiles,
             const Theme& theme);
    QRectF segment(std::size_t profile, std::size_t part) const;

    struct Segment {
        double from = 0, to = 0; ///< milliseconds
        values::PartKind kind = values::PartKind::Other;
        QString name;
    };

    QChart& m_chart;
    QAbstractSeries& m_series;
    std::vector<std::vector<Segment>> m_bars;
    Theme m_theme;
    std::size_t m_profile = 0;
    std::optional<std::size_t> m_part;
};

} // namespace halfstep::ui
