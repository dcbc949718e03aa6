#include "engine/train/memory_plan.h"
#include "engine/backend/backend.h"
#include "engine/optim/optimizer.h"
#include "engine/tensor/error.h"
#include "engine/train/training_state.h"
#include "engine/train/training_step.h"
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace halfstep::train {
namespace {

using precision::StepTensor;

void sortInto(PredictedMemory& memory, const nn::MemoryTally& tally) {
    for (const auto& [kind, bytes] : tally) {
        switch (kind) {
        case StepTensor::Variable:
        case StepTensor::WeightCopy:
        case StepTensor::NormalizationCopy:
        case StepTensor::MovingAverage:
            memory.variables += bytes;
            break;
        case StepTensor::LossGradient:
        case StepTensor::ActivationGradient:
        case StepTensor::VariableGradient:
        case StepTensor::UnscaledGradient:
            memory.gradients += bytes;
            break;
        case StepTensor::OptimizerState:
            memory.optimizer += bytes;
            break;
        default:
            memory.activations += bytes;
            break;
        }
    }
}

void rehearse(const TrainingPlan& plan, backend::Backend& device, nn::ConvNet& network, optim::Optimizer& optimizer) {
    TrainingStep step(device, network, optimizer, nullptr);
    const std::int64_t label = 0; // of every image: nobody reads them
    const auto train = [&](std::int64_t batch) {
        network.input(batch);
        step.run({&label, 1});
    };
    train(plan.network.batchCapacity);
    for (const std::int64_t batch : plan.smallerBatches) {
        train(batch);
    }
    for (const std::int64_t batch : plan.validationBatches) {
        network.input(batch);
        network.forward(nn::Mode::Inference);
    }
}

bool fits(const TrainingPlan& plan, const backend::Backend& device, std::uint64_t bytes) {
    try {
        return predictMemory(plan, device).peak <= bytes;
    } catch (const OutOfMemoryError&) {
        return false;
    }
}

/// A whole batch of this size, validated on in the same size if the plan validates.
bool fitsWithBatch(TrainingPlan& plan, const backend::Backend& device, std::uint64_t bytes, std::int64_t batch) {
    plan.smallerBatches.clear();
    plan.network.batchCapacity = batch;
    if (!plan.validationBatches.empty()) {
        plan.validationBatches = {batch};
    }
    return fits(plan, device, bytes);
}

/// `fitting` is known to fit, or 0; `tooLarge` is known not to, or not asked for.
std::int64_t largestBatchBetween(TrainingPlan& plan, const backend::Backend& device, std::uint64_t bytes,
                                 std::int64_t fitting, std::int64_t tooLarge) {
    while (tooLarge - fitting > 1) {
        const std::int64_t batch = fitting + (tooLarge - fitting) / 2;
        (fitsWithBatch(plan, device, bytes, batch) ? fitting : tooLarge) = batch;
    }
    return fitting;
}

} // namespace

std::string bytesText(std::uint64_t bytes) {
    if (bytes < 1U << 20U) {
        return fmt::format("{} bytes", bytes);
    }
    const double mebibytes = static_cast<double>(bytes) / (1 << 20);
    return mebibytes < 10000 ? fmt::format("{:.1f} MiB", mebibytes) : fmt::format("{:.1f} GiB", mebibytes / 1024);
}

TrainingPlan planOf(const values::ExperimentConfig& config, std::int64_t classes) {
    return {.network = networkOptions(config, classes), .optimizer = config.optimizer};
}

TrainingPlan planOf(const values::ExperimentConfig& config, const values::SetCounts& counts) {
    TrainingPlan plan = planOf(config, counts.classes);
    const std::int64_t batch = config.batchSize;
    if (const std::int64_t last = counts.train % batch; last > 0) {
        plan.smallerBatches.push_back(last);
    }
    if (counts.validation >= batch) {
        plan.validationBatches.push_back(batch);
    }
    if (const std::int64_t last = counts.validation % batch; last > 0) {
        plan.validationBatches.push_back(last);
    }
    return plan;
}

PredictedMemory predictMemory(const TrainingPlan& plan, const backend::Backend& device) {
    const std::shared_ptr<backend::Backend> rehearsal = device.rehearsal();
    PredictedMemory memory;
    std::uint64_t held = 0;
    {
        nn::MemoryTally tally;
        nn::ConvNet::Options options = plan.network;
        options.tally = &tally;
        nn::ConvNet network(rehearsal, options);
        sortInto(memory, tally);
        const std::uint64_t ofNetwork = rehearsal->heldBytes();
        const auto optimizer = makeOptimizer(rehearsal, network, plan.optimizer, {});
        memory.optimizer += rehearsal->heldBytes() - ofNetwork;
        rehearse(plan, *rehearsal, network, *optimizer);
        held = rehearsal->heldBytes();
    }
    // The network is gone with its reserve space; the scratch memory is the back end's.
    memory.workspace = rehearsal->heldBytes();
    memory.reserve = held - memory.total();
    memory.peak = rehearsal->peakBytes();
    return memory;
}

std::int64_t largestBatch(TrainingPlan plan, const backend::Backend& device, std::uint64_t bytes) {
    return largestBatchBetween(plan, device, bytes, 0, plan.network.batchCapacity + 1);
}

std::int64_t largestBatchUpTo(TrainingPlan plan, const backend::Backend& device, std::uint64_t bytes,
                              std::int64_t most) {
    std::int64_t fitting = 0;
    for (std::int64_t batch = 1; batch <= most; batch *= 2) {
        if (!fitsWithBatch(plan, device, bytes, batch)) {
            return largestBatchBetween(plan, device, bytes, fitting, batch);
        }
        fitting = batch;
    }
    return largestBatchBetween(plan, device, bytes, fitting, most + 1);
}

std::string MemoryShortage::sentence(const TrainingPlan& plan) const {
    const nn::ConvNet::Options& network = plan.network;
    return fmt::format(
        "Out of memory: training on batches of {} image{} of {} x {} pixels wants {}, but {} are free. {}",
        network.batchCapacity, network.batchCapacity == 1 ? "" : "s", network.width, network.height,
        wantedBytes ? bytesText(*wantedBytes) : "more than can be counted", bytesText(freeBytes),
        largestBatch > 0
            ? fmt::format("A batch of {} fits; smaller images take less, too.", largestBatch)
            : std::string("Not even one image fits: choose a smaller image size, or raise the memory limit."));
}

std::optional<MemoryShortage> shortageOf(const TrainingPlan& plan, const backend::Backend& device) {
    MemoryShortage shortage{.freeBytes = device.freeBytes()};
    try {
        shortage.wantedBytes = predictMemory(plan, device).peak;
    } catch (const OutOfMemoryError&) { // NOLINT(bugprone-empty-catch): more than can be counted
    }
    if (shortage.wantedBytes && *shortage.wantedBytes <= shortage.freeBytes) {
        return std::nullopt;
    }
    shortage.largestBatch = largestBatch(plan, device, shortage.freeBytes);
    return shortage;
}

void requireMemory(const TrainingPlan& plan, const backend::Backend& device) {
    if (const auto shortage = shortageOf(plan, device)) {
        throw OutOfMemoryError(shortage->sentence(plan));
    }
}

} // namespace halfstep::train
