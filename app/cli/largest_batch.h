#pragma once
#include "engine/train/experiment.h"
#include "engine/values/experiment_config.h"

namespace halfstep::app {

/// `train --largest-batch`: prints the largest batch whose training fits into the memory that is free (or the limit),
/// with what it would take; as a document if asked to. Opens no pictures and trains nothing. Returns the exit code:
/// out of memory if not even one image fits.
int printLargestBatch(const values::ExperimentConfig& config, const train::Places& places, bool json);

} // namespace halfstep::app
