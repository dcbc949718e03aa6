#pragma once
#include "engine/nn/convnet.h"
#include "engine/values/experiment_config.h"
#include "engine/values/memory.h"
#include <cstdint>
#include <string>
#include <vector>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

/// What will be asked of a device: which network, and in batches of which sizes.
struct TrainingPlan {
    nn::ConvNet::Options network{}; ///< batchCapacity is the usual batch
    values::OptimizerKind optimizer = values::OptimizerKind::Adam;
    std::vector<std::int64_t> smallerBatches{};    ///< of training: the last one of an epoch
    std::vector<std::int64_t> validationBatches{}; ///< if there is a validation
};

/// Of a run in whole batches, as TrainingState makes its network.
TrainingPlan planOf(const values::ExperimentConfig& config, std::int64_t classes);

using values::PredictedMemory;

/// Makes the steps on the device's rehearsal, which takes what the device would take but only counts. Takes some
/// milliseconds. Throws OutOfMemoryError where bytes cannot be counted.
PredictedMemory predictMemory(const TrainingPlan& plan, const backend::Backend& device);

/// A batch whose training fits into `bytes`, found by halving, smaller batches left out; 0 if not even one image
/// does. At most the plan's. It is the largest but for steps in the need: a batch whose spectra are too many to be
/// kept takes less than one a little smaller.
std::int64_t largestBatch(TrainingPlan plan, const backend::Backend& device, std::uint64_t bytes);

/// Throws OutOfMemoryError with wanted and free bytes and a batch that fits, if this one does not.
void requireMemory(const TrainingPlan& plan, const backend::Backend& device);

} // namespace halfstep::train
