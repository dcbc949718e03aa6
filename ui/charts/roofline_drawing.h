#pragma once
#include "engine/values/profile.h"
#include "ui/widgets/theme.h"
#include <QPointF>
#include <optional>

class QChart;
class QScatterSeries;

namespace halfstep::ui {

/// FLOP/byte and GFLOP/s of a part, if it has both.
std::optional<QPointF> rooflineDot(const values::ProfilePart& part, const values::Ceilings& ceilings);

/// Logarithmic axes, the roof with its names, and the dots, on an empty chart. Returns the series whose one point is
/// the ring around the dot that is read; it is empty.
QScatterSeries* drawRoofline(QChart& chart, const values::StepProfile& profile, const Theme& theme);

} // namespace halfstep::ui
