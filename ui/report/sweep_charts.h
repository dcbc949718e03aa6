#pragma once
#include "ui/bridge/measured_sweep.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_drawing.h"
#include <QPointF>
#include <QString>
#include <vector>

namespace halfstep::ui {

/// A bar for each cell that was measured, with its 95 % interval, grouped by batch size (and by device and
/// instruction set where there are several); in the place of one that did not fit stands "OOM".
std::vector<Bar> sweepBars(const MeasuredSweep& measured);

enum class ScalingView { StepTime, ImagesPerSecond, SpeedUp, Memory };

/// What a scaling chart draws over the batch size.
struct ScalingCurves {
    QString title;
    AxisLook y;
    std::vector<CurveLook> looks;
    std::vector<std::vector<QPointF>> points; ///< one for each look
};

/// A curve for each policy (on each device and instruction set), between thin lines at the ends of the 95 % interval
/// where there is one. Memory: lines for what is predicted, marks for the measured peak, and the limit, if one is
/// set.
ScalingCurves scalingCurves(const MeasuredSweep& measured, ScalingView view);

} // namespace halfstep::ui
