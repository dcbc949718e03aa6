#pragma once
#include "engine/values/sweep.h"
#include <string>

namespace halfstep::app {

/// A sweep for people: one row a cell with median, interval and speed-up, then what is to be known of cells that did
/// not run or cannot be trusted, a sentence each.
std::string sweepText(const values::Sweep& sweep);

} // namespace halfstep::app
