#pragma once
#include "engine/data/dataset.h"
#include "engine/train/checkpoint.h"
#include "engine/values/run_event.h"

namespace halfstep::train {

/// Throws DataError, one sentence, unless a run with this configuration on this set can go on from the checkpoint:
/// same classes, same pictures, a position of the plan, arrays of this network.
void requireFitting(const Checkpoint& checkpoint, const values::ExperimentConfig& config,
                    const data::Dataset& dataset, const values::RunPlan& plan);

/// Throws ConfigError if nothing is left to do after the checkpoint.
void requireSomethingLeft(const CheckpointState& checkpoint, const values::ExperimentConfig& config,
                          const values::RunPlan& plan);

} // namespace halfstep::train
