#pragma once
#include "engine/values/run_event.h"
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace halfstep::analysis {

/// The values below which a quarter, a half and three quarters of a sample lie.
struct Quartiles {
    double q25 = 0;
    double median = 0;
    double q75 = 0;
};

/// The quantile `share` (0 to 1) of `sample`, whose order does not matter. Between two values of the sorted sample it
/// is interpolated linearly at position share (n - 1), as NumPy and R (type 7) do by default. Empty for an empty
/// sample.
std::optional<double> quantile(std::span<const double> sample, double share);
/// Half of an odd sample lies below it; of an even one it is the mean of the middle two.
std::optional<double> median(std::span<const double> sample);
std::optional<Quartiles> quartiles(std::span<const double> sample);

/// How many steps at the start of a run are warm-up (libraries choose kernels, caches and page tables fill): 3, but
/// never more than half of the run, so that a run of 1 step has none and one of 2 or 3 has 1.
std::int64_t warmUpSteps(std::int64_t stepsOfRun);

/// Milliseconds of the steps that say how fast a run is: full batches after warm-up, skipped steps included (they do
/// the same work but for Adam's). `steps` is the whole run, in order; `batchSize` as configured.
std::vector<double> timedStepMilliseconds(std::span<const values::StepRecord> steps, int batchSize);
/// The median of those; empty if there is none.
std::optional<double> medianStepMilliseconds(std::span<const values::StepRecord> steps, int batchSize);

struct Means {
    double loss = 0;
    double accuracy = 0;
};

/// Means, weighted by batch size, over the steps of the epoch that was begun after `epochsCompleted` but not
/// completed; empty if there is none. `steps` is in order.
std::optional<Means> meansOfEpochBegun(std::span<const values::StepRecord> steps, int epochsCompleted);

/// Mean over the steps of the share of updates that rounding took away; empty if no step has one.
std::optional<double> meanLostUpdates(std::span<const values::StepRecord> steps);

} // namespace halfstep::analysis
