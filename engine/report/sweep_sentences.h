#pragma once
#include "engine/report/sweep_tables.h"
#include <string>
#include <vector>

namespace halfstep::report {

/// What a sweep says, a sentence each: for every batch size (on each device and instruction set) the policy with the
/// shortest step, with its interval, and those that are not shown to differ from it; then the cells that are out of
/// memory; then those that other work disturbed, and how to measure them again.
std::vector<std::string> sweepSentences(const values::Sweep& sweep, const SweepFigures& figures);

} // namespace halfstep::report
