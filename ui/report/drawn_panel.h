#pragma once
#include "engine/report/drawing.h"
#include "ui/charts/chart_panel.h"

namespace halfstep::ui {

/// The panel's chart for a page, two of which stand side by side; `id` is of the drawing's own.
report::Drawing drawnPanel(const ChartPanel& panel, const QString& id);

} // namespace halfstep::ui
