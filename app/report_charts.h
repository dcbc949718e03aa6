#pragma once
#include "engine/report/drawing.h"

namespace halfstep::app {

/// The window's charts for a report, where no window is opened and there need be no display: Qt is started, on its
/// offscreen platform, when the first chart is drawn. On the main thread only.
report::ChartDrawers reportCharts();

} // namespace halfstep::app
