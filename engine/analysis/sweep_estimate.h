#pragma once
#include "engine/values/sweep.h"
#include <optional>

namespace halfstep::analysis {

/// Rounds of cells that are still to be measured; cells that cannot run have none.
std::int64_t cellRoundsLeft(const values::Sweep& sweep);

/// Seconds that they will take: a cell's own rounds so far, else by the image from those of its policy, else of any.
/// Empty while nothing was measured.
std::optional<double> secondsLeft(const values::Sweep& sweep);

} // namespace halfstep::analysis
