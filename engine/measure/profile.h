#pragma once
#include "engine/train/experiment.h"
#include "engine/values/profile.h"
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace halfstep::measure {

struct ProfileOptions {
    std::int64_t steps = 20;      ///< with the clock, and as many without it; at least 1
    std::int64_t warmUpSteps = 3; ///< before them, of each configuration; at least 0
};

/// What is done at the moment, and how far it is.
using ProfileProgress = std::function<void(const values::DataProgress&)>;

/// Where one training step of each configuration goes, on real batches. Steps with the clock and without it, and
/// those of the configurations, take turns, in an order that is reversed every round, so that a machine that drifts
/// does so for all alike; the machine's ceilings are measured before and after, and the better ones count.
///
/// Nothing is entered in the history. Blocks. Throws as train::runExperiment does where a run could not start:
/// ConfigError, DataError, OutOfMemoryError, Cancelled; Error if too many steps have gradients that are not finite.
std::vector<values::StepProfile> profileSteps(const std::vector<values::ExperimentConfig>& configs,
                                              const train::Places& places, const ProfileOptions& options,
                                              const ProfileProgress& progress = {}, std::stop_token stop = {});

} // namespace halfstep::measure
