#pragma once
#include "engine/analysis/operation_counts.h"
#include <string>

namespace halfstep::bench {

/// Prints for float32 and the mixed policies what share of a measured step its operations would need at the machine's
/// ceilings, one after the other: by the counts of the algorithms that run, and by those of direct convolution. In
/// each of `rounds` the ceilings are measured and every policy makes a step, so that drift hits all alike.
/// By processor time: of the threads' together, which other programs do not lengthen.
void printStepBounds(const analysis::StepShape& shape, int threads, const std::string& convolution, int rounds);

} // namespace halfstep::bench
