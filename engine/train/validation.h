#pragma once
#include "engine/data/dataset.h"
#include "engine/nn/convnet.h"
#include "engine/values/run_event.h"
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace halfstep::train {

struct ValidationResult {
    double loss = 0;     ///< mean over all photographs
    double accuracy = 0; ///< right ones of all
    std::vector<values::Guess> guesses;
};

/// The network's loss and accuracy on the validation split, with the moving averages, and its guesses on twelve
/// photographs spread evenly over the split. `goesOn(done batches)` is asked after every batch; the result is empty
/// if it said no before the end.
std::optional<ValidationResult> validate(nn::ConvNet& network, backend::Backend& device,
                                         const std::shared_ptr<const data::Dataset>& dataset, int batchSize,
                                         const std::function<bool(std::int64_t)>& goesOn);

} // namespace halfstep::train
