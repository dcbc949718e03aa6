#pragma once
#include "engine/values/experiment_config.h"

namespace halfstep::values {

/// The settings that decide how a run learns, besides its seed: what changes no number (name, threads, checkpoints,
/// how often numbers are recorded, memory limit) and the seed are the defaults, and `data` is empty, since a
/// fingerprint says better which pictures they were. Runs that are equal in this are samples of one configuration.
ExperimentConfig learningSettings(ExperimentConfig config);

} // namespace halfstep::values
