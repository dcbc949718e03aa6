#pragma once
#include "engine/analysis/sweep_figures.h"
#include "engine/values/sweep.h"
#include <memory>
#include <optional>
#include <vector>

namespace halfstep::ui {

/// A sweep with what its measurements say. Never changes once it is made, so that threads can share it.
struct MeasuredSweep {
    values::Sweep sweep;
    std::vector<analysis::CellFigures> figures; ///< one for each cell
    std::int64_t cellRoundsLeft = 0;
    std::optional<double> secondsLeft{}; ///< for them; empty while it cannot be known
};
using MeasuredSweepPtr = std::shared_ptr<const MeasuredSweep>;

/// Takes tens of milliseconds (a bootstrap of every cell): not for the GUI thread.
MeasuredSweepPtr measuredSweep(values::Sweep sweep);

} // namespace halfstep::ui
