#pragma once
#include "engine/report/run_tables.h"
#include "engine/report/sweep_tables.h"
#include <functional>
#include <string>
#include <vector>

namespace halfstep::report {

/// A chart as it stands in a page: an <svg> element, whose ids occur in no other drawing of the page.
struct Drawing {
    std::string title{};
    std::string svg{};
};

/// Whoever can draw (the window's charts) does it for the report, which itself cannot. An empty function: no charts.
struct ChartDrawers {
    /// Of the `index`-th sweep of the report.
    std::function<std::vector<Drawing>(const values::Sweep& sweep, const SweepFigures& figures, std::size_t index)>
        ofSweep{};
    /// Of one run, the `index`-th of the report.
    std::function<std::vector<Drawing>(const RunRecord& run, std::size_t index)> ofRun{};
    /// Of several runs side by side.
    std::function<std::vector<Drawing>(const std::vector<RunRecord>& runs)> ofRuns{};
};

} // namespace halfstep::report
