#pragma once
#include "engine/values/profile.h"
#include "ui/widgets/theme.h"
#include <QPointF>
#include <QStringList>
#include <optional>

class QAbstractSeries;
class QChart;
class QLogValueAxis;
class QScatterSeries;

namespace halfstep::ui {

/// FLOP/byte and GFLOP/s of a part, if it has both.
std::optional<QPointF> rooflineDot(const values::ProfilePart& part, const values::Ceilings& ceilings);

class RoofNames;

/// Logarithmic axes, the roof with its names, and the dots, on an empty chart that must outlive the drawing.
class RooflineDrawing {
public:
    RooflineDrawing(QChart& chart, const values::StepProfile& profile, const Theme& theme);

    /// A ring around a dot and what it is, in the corner that work never reaches: many operations a byte, but slow.
    /// Empty: none.
    void read(const std::optional<QPointF>& dot, const QStringList& lines);
    /// Where a dot is, in the chart's coordinates.
    QPointF positionOf(const QPointF& dot) const;

private:
    void addDots(const values::StepProfile& profile, const Theme& theme);
    void attach(QAbstractSeries* series);
    void hideFromLegend(QAbstractSeries* series);

    QChart& m_chart;
    QLogValueAxis* m_x;
    QLogValueAxis* m_y;
    QScatterSeries* m_ring;
    RoofNames* m_names; ///< the chart's own
};

} // namespace halfstep::ui
