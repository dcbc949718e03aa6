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
/// `before` with one cell in another state. Works out only what this can change: the cells of the same batch size, of
/// which one may be the others' baseline.
MeasuredSweepPtr measuredSweep(const MeasuredSweep& before, std::size_t cell, const values::SweepCell& state);

} // namespace halfstep::ui
