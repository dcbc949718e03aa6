#pragma once
#include "engine/nn/convnet.h"
#include "engine/values/experiment_config.h"
#include "engine/values/memory.h"
#include <cstdint>
#include <optional>
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

/// "1024 bytes", "480.0 MiB", "31.2 GiB"
std::string bytesText(std::uint64_t bytes);

/// Of a run in whole batches, as TrainingState makes its network.
TrainingPlan planOf(const values::ExperimentConfig& config, std::int64_t classes);

/// The same with the batches that its sets end with, and its validation's.
TrainingPlan planOf(const values::ExperimentConfig& config, const values::SetCounts& counts);

using values::PredictedMemory;

/// Makes the steps on the device's rehearsal, which takes what the device would take but only counts. Takes some
/// milliseconds. Throws OutOfMemoryError where bytes cannot be counted.
PredictedMemory predictMemory(const TrainingPlan& plan, const backend::Backend& device);

/// A batch whose training fits into `bytes`, found by halving, smaller batches left out; 0 if not even one image
/// does. At most the plan's. It is the largest but for steps in the need: a batch whose spectra are too many to be
/// kept takes less than one a little smaller.
std::int64_t largestBatch(TrainingPlan plan, const backend::Backend& device, std::uint64_t bytes);

inline constexpr std::int64_t kMostBatch = 65536; ///< nobody trains on more

/// The same without a batch to begin with, up to `most`: found upwards by doubling from 1 until one does not fit,
/// then by halving between the last two. So the batch found fits, and the next power of two above it does not, unless
/// it is above `most`.
std::int64_t largestBatchUpTo(TrainingPlan plan, const backend::Backend& device, std::uint64_t bytes,
                              std::int64_t most = kMostBatch);

/// What a device lacks for a plan.
struct MemoryShortage {
    std::optional<std::uint64_t> wantedBytes{}; ///< empty if they are more than can be counted
    std::uint64_t freeBytes = 0;
    std::int64_t largestBatch = 0; ///< that fits, as largestBatch() finds it

    /// With what to do about it.
    std::string sentence(const TrainingPlan& plan) const;
};
/// Nothing if the plan fits.
std::optional<MemoryShortage> shortageOf(const TrainingPlan& plan, const backend::Backend& device);
/// Throws OutOfMemoryError with the sentence of the shortage, if there is one.
void requireMemory(const TrainingPlan& plan, const backend::Backend& device);

} // namespace halfstep::train
