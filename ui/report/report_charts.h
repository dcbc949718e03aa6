#pragma once
#include "engine/report/drawing.h"

namespace halfstep::ui {

/// Draws a report's charts with the window's. Needs a QApplication, on any platform, and its thread.
report::ChartDrawers reportCharts();

} // namespace halfstep::ui
