#pragma once
#include "engine/train/trainer.h"
#include "engine/values/run_event.h"
#include "engine/values/run_summary.h"
#include <functional>
#include <vector>

namespace halfstep::tests {

/// A run and what it told.
struct Watched {
    values::RunSummary summary;
    std::vector<values::StepRecord> steps;
    std::vector<values::EpochRecord> epochs;
    std::vector<values::Notice> notices;
    std::vector<train::NamedArray> weights; ///< at the end
};

/// 16 x 16 pixels, batches of 8.
values::ExperimentConfig smallConfig(precision::Policy policy = precision::Policy::Float32);

struct Watching {
    int train = 21;      ///< pictures: three steps an epoch
    int validation = 10; ///< pictures: two batches
    int threads = 2;
    std::function<bool(const values::RunEvent&)> stopWhen{}; ///< asks for a stop when it says so
    train::PauseSwitch* pause = nullptr;
    train::RunStart start{};
};

/// Runs to the end.
Watched watch(const values::ExperimentConfig& config, Watching watching = {});

/// Goes on from the last checkpoint in the folder that `config` names, as resumeExperiment does with what the history
/// holds: `before` is the run up to there, and its records come first in the result.
Watched goOn(const values::ExperimentConfig& config, const Watched& before, Watching watching = {});

/// Says so when this step is done.
std::function<bool(const values::RunEvent&)> afterStep(std::int64_t step);

std::vector<double> lossesOf(const Watched& watched);

/// A comparison that fails with the first difference, in anything but times.
void expectSameRun(const Watched& run, const Watched& expected);

} // namespace halfstep::tests
