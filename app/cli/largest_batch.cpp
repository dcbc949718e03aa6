#include "app/cli/largest_batch.h"
#include "app/cli/exit_code.h"
#include "app/cli/text.h"
#include "engine/backend/backend.h"
#include "engine/tensor/error.h"
#include "engine/train/conduct_run.h"
#include "engine/train/environment.h"
#include "engine/train/memory_plan.h"
#include "engine/values/json.h"
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace halfstep::app {

namespace {

struct LargestBatch {
    std::int64_t images = 0; ///< 0: not even one fits
    std::uint64_t predictedBytes = 0;
    std::uint64_t freeBytes = 0;
};

/// How the convolutions of a batch are done, and so what they take, is certain only when the device has tried them,
/// as it does before a run; so it is done here, until a batch fits by what was found out.
LargestBatch largestBatchOf(values::ExperimentConfig config, const train::Places& places) {
    const std::shared_ptr<backend::Backend> device = train::makeDevice(config, places);
    train::TrainingPlan plan = train::planOf(config, values::SetCounts{}.classes);
    plan.validationBatches = {1}; // in whole batches too
    LargestBatch found{.freeBytes = device->freeBytes()};
    found.images = train::largestBatchUpTo(plan, *device, found.freeBytes);
    while (found.images > 0) {
        config.batchSize = static_cast<int>(found.images);
        train::convolutionsOf(*device, config);
        plan.network.batchCapacity = found.images;
        plan.validationBatches = {found.images};
        found.predictedBytes = train::predictMemory(plan, *device).peak;
        if (found.predictedBytes <= found.freeBytes) {
            break;
        }
        --plan.network.batchCapacity;
        found.images = train::largestBatch(plan, *device, found.freeBytes);
    }
    return found;
}

} // namespace

int printLargestBatch(const values::ExperimentConfig& config, const train::Places& places, bool json) {
    const LargestBatch found = largestBatchOf(config, places);
    if (json) {
        using Json = nlohmann::ordered_json;
        values::ExperimentConfig fitting = config;
        fitting.batchSize = found.images > 0 ? static_cast<int>(found.images) : config.batchSize;
        std::cout << values::jsonText(
                         {{"largest_batch", found.images},
                          {"predicted_bytes", found.images > 0 ? Json(found.predictedBytes) : Json(nullptr)},
                          {"free_bytes", found.freeBytes},
                          {"config", values::toJson(fitting)}})
                  << '\n';
    } else if (found.images > 0) {
        std::cout << fmt::format("{}\n{} of {} that are free\n", found.images, bytesText(found.predictedBytes),
                                 bytesText(found.freeBytes));
    }
    if (found.images == 0) {
        std::cerr << fmt::format("halfstep: Not even one image of {0} x {0} pixels fits into {1}: choose a smaller "
                                 "image size, or raise the memory limit.\n",
                                 config.imageSize, bytesText(found.freeBytes));
    }
    return found.images > 0 ? kDone : kOutOfMemory;
}

} // namespace halfstep::app
