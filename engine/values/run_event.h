#pragma once
#include "engine/values/numerics.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace halfstep::values {

/// Reading the source and building the image cache; sent before the run has an id.
struct DataProgress {
    std::string activity{}; ///< "Decoding", "Drawing the sample", "Reading the archive"
    std::int64_t done = 0;
    std::int64_t total = 0; ///< 0: not known yet
};

/// Sent once, when the data are ready and the run is entered in the history.
struct RunPlan {
    std::int64_t run = 0;
    std::int64_t stepsPerEpoch = 0;
    std::int64_t totalSteps = 0;
    int epochs = 0;
    std::int64_t validationBatches = 0; ///< per epoch; 0 if there is no validation split
    std::string deviceText{};           ///< "CPU AVX2, 2 threads"
};

/// One training step. `step` counts from 1 across epochs, `epoch` from 1.
struct StepRecord {
    std::int64_t step = 0;
    int epoch = 0;
    int batchSize = 0;
    double loss = 0;                     ///< mean cross-entropy of the batch, unscaled
    double accuracy = 0;                 ///< share of the batch that was right, 0 to 1
    double stepMilliseconds = 0;         ///< wall time of the step, without waiting for data
    double dataWaitMilliseconds = 0;     ///< wall time waited for the batch before the step
    std::optional<double> lossScale{};   ///< that this step used; empty where the policy has none
    bool skipped = false;                ///< gradients were not finite: nothing but the loss scale changed
    std::string firstNonFinite{};        ///< of a skipped step: "conv2d_2 kernel gradient (backward)"; else empty
    std::optional<double> lostUpdates{}; ///< share of the weights' updates that rounding took away, 0 to 1; empty if
                                         ///< nothing was to be updated
    bool operator==(const StepRecord&) const = default;
};

/// Part of an epoch's validation is done.
struct ValidationProgress {
    int epoch = 0;
    std::int64_t done = 0; ///< batches
    std::int64_t total = 0;
};

/// What the network says of one validation photograph.
struct Guess {
    std::int64_t photograph = 0; ///< index in the validation split
    int truth = 0;               ///< label
    int predicted = 0;           ///< label
    double probability = 0;      ///< softmax of the predicted label
    bool operator==(const Guess&) const = default;
};

/// One epoch is over. Means are weighted by batch size; validation is empty where there is no validation split.
struct EpochRecord {
    int epoch = 0;
    double loss = 0;
    double accuracy = 0;
    std::optional<double> valLoss{};
    std::optional<double> valAccuracy{};
    double seconds = 0;           ///< training and validation
    std::vector<Guess> guesses{}; ///< for a few photographs, always the same; not kept in the history
    bool operator==(const EpochRecord&) const = default;
};

enum class Severity { Information, Warning };

/// A sentence for the person that watches.
struct Notice {
    Severity severity = Severity::Information;
    std::string text{};
};

using RunEvent =
    std::variant<DataProgress, RunPlan, StepRecord, ValidationProgress, EpochRecord, Notice, NumericsRecord>;

/// Receives the events on the training thread. Must return quickly and must not throw.
using EventSink = std::function<void(const RunEvent&)>;

} // namespace halfstep::values
