#pragma once
#include "engine/precision/loss_scaler.h"
#include "engine/train/best_epoch.h"
#include "engine/train/named_arrays.h"
#include "engine/values/experiment_config.h"
#include "engine/values/run_event.h"
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::train {

/// Where a run stands between two steps.
struct RunPosition {
    std::int64_t step = 0;    ///< steps done
    int epoch = 1;            ///< that the next step belongs to, or whose validation comes next
    std::int64_t batches = 0; ///< done of that epoch's shuffled order
    // Sums over those batches:
    std::int64_t photographs = 0;
    std::int64_t correct = 0;
    double lossSum = 0; ///< cross-entropy over the photographs
    double seconds = 0; ///< spent on the epoch so far
    bool operator==(const RunPosition&) const = default;
};

/// Whether all steps of the plan are done. An epoch whose validation was cut off is not.
inline bool isAtEnd(const RunPosition& position, const values::RunPlan& plan) {
    return position.step >= plan.totalSteps && position.batches != plan.stepsPerEpoch;
}

/// The part of a checkpoint that goes into state.json.
struct CheckpointState {
    std::int64_t run = 0; ///< the run's number in the history
    std::string halfstepVersion{};
    values::ExperimentConfig config{};
    std::vector<std::string> classes{}; ///< names, in the order of their labels
    std::string dataFingerprint{};
    RunPosition position{};
    BestEpoch::State best{};
    std::int64_t iterations = 0; ///< of the optimizer: steps that were applied
    std::optional<precision::LossScaler::State> lossScaler{};
    bool operator==(const CheckpointState&) const = default;
};

/// Everything that a run needs to go on bit by bit.
struct Checkpoint {
    std::filesystem::path folder{}; ///< that it was read from
    CheckpointState state{};
    std::vector<NamedArray> weights{};   ///< all variables, moving averages included, under Keras' names
    std::vector<NamedArray> optimizer{}; ///< "adam_m/conv2d/kernel"
};

} // namespace halfstep::train
