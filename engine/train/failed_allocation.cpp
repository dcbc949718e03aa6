#include "engine/train/failed_allocation.h"
#include "engine/backend/backend.h"
#include "engine/tensor/error.h"
#include "engine/train/memory_plan.h"
#include <algorithm>
#include <fmt/format.h>
#include <new>

namespace halfstep::train {
namespace {

/// What was wanted and what was there, of the exception being handled.
std::string reasonOf(const backend::Backend& device) {
    try {
        throw;
    } catch (const OutOfMemoryError& error) {
        return error.reason();
    } catch (const std::bad_alloc&) {
        return fmt::format("the system gives no more memory; the tensors of the run took {}, and {} are free now "
                           "that they are gone",
                           bytesText(device.peakBytes()), bytesText(device.freeBytes()));
    }
}

} // namespace

std::string Whereabouts::text() const {
    const char* what = "";
    switch (phase) {
    case Phase::Setup:
        return "before the first step";
    case Phase::Upload:
        what = "at the upload of the batch of";
        break;
    case Phase::Forward:
        what = "in the forward pass of";
        break;
    case Phase::Backward:
        what = "in the backward pass of";
        break;
    case Phase::Optimizer:
        what = "in the optimizer's update of";
        break;
    case Phase::Validation:
        what = "in the validation after";
        break;
    case Phase::Checkpoint:
        what = "at the copy of the weights after";
        break;
    }
    return fmt::format("{} step {}", what, step);
}

FailedAllocation failedAllocation(const Whereabouts& where, const TrainingPlan& plan,
                                  const backend::Backend& device) {
    FailedAllocation failed;
    const std::string reason = reasonOf(device);
    failed.freeBytes = device.freeBytes();
    const nn::ConvNet::Options& network = plan.network;
    const std::int64_t fitting = largestBatch(plan, device, std::min(failed.freeBytes, device.peakBytes()));
    if (fitting < network.batchCapacity) {
        failed.largestBatch = fitting;
    }
    failed.sentence = fmt::format(
        "Out of memory {} on batches of {} image{} of {} x {} pixels: {}. {}", where.text(), network.batchCapacity,
        network.batchCapacity == 1 ? "" : "s", network.width, network.height, reason,
        failed.largestBatch.value_or(0) > 0 ? fmt::format("A batch of {} takes no more than was given.", fitting)
                                            : std::string("Lower the batch size or the image size."));
    return failed;
}

} // namespace halfstep::train
