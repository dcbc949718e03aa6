#pragma once
#include "engine/report/drawing.h"
#include <string>
#include <vector>

namespace halfstep::report {

/// What a report is about.
struct ReportContent {
    std::vector<values::Sweep> sweeps{};
    std::vector<RunRecord> runs{};
};

/// One HTML file without any reference to another: for every sweep what it says, its grids, charts, cells and
/// environment; for every run its figures, curves, warnings, settings and environment; for each the command that
/// repeats it. Without drawers it says that the charts are left out.
std::string htmlReport(const ReportContent& content, const ChartDrawers& drawers);

} // namespace halfstep::report
