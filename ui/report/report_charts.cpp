#include "ui/report/report_charts.h"
#include "ui/report/run_drawings.h"
#include "ui/report/sweep_drawings.h"

namespace halfstep::ui {

report::ChartDrawers reportCharts() {
    return {.ofSweep = &sweepDrawings, .ofRun = &runDrawings, .ofRuns = &comparisonDrawings};
}

} // namespace halfstep::ui
