#pragma once
#include "engine/store/run_store.h"
#include <cstdint>
#include <string>
#include <vector>

namespace halfstep::ui {

/// What differs between the runs that the tests make.
struct MadeRun {
    precision::Policy policy = precision::Policy::Float32;
    int batchSize = 32;
    double median = 100; ///< of the steps after warm-up, in ms; the quartiles lie 1 below and above
    values::RunStatus status = values::RunStatus::Finished;
    int epochs = 2;
    std::string name{};
    std::string checkpoint{}; ///< folder
    std::uint64_t seed = 1;
};

inline constexpr int kStepsPerEpoch = 10;

inline std::vector<values::StepRecord> stepsOf(const MadeRun& made) {
    std::vector<values::StepRecord> steps;
    for (int i = 0; i < made.epochs * kStepsPerEpoch; ++i) {
        values::StepRecord step;
        step.step = i + 1;
        step.epoch = i / kStepsPerEpoch + 1;
        step.batchSize = made.batchSize;
        step.loss = 2.0 / (i + 1);
        step.accuracy = 1 - 1.0 / (i + 1);
        // Three slow steps of warm-up, then median - 2 to median + 2.
        step.stepMilliseconds = i < 3 ? 10 * made.median : made.median + (i - 3) % 5 - 2;
        step.dataWaitMilliseconds = 1;
        steps.push_back(step);
    }
    // 17 timed steps are 3 times 5 and 2 more at the low end: two at the high end even that out.
    for (int extra = 1; extra <= 3; ++extra) {
        values::StepRecord step = steps.back();
        step.step += 1;
        step.stepMilliseconds = extra == 1 ? made.median : made.median + extra - 1;
        steps.push_back(step);
    }
    return steps;
}

inline std::int64_t enter(store::RunStore& history, const MadeRun& made) {
    values::ExperimentConfig config;
    config.policy = made.policy;
    config.batchSize = made.batchSize;
    config.epochs = made.epochs;
    config.name = made.name;
    config.checkpoint = made.checkpoint;
    config.seed = made.seed;
    values::Environment environment;
    environment.device = "cpu";
    environment.isa = "avx2";
    environment.threads = 2;
    const std::int64_t run = history.begin(config, environment, "drawn sample");
    const auto steps = stepsOf(made);
    values::RunSummary summary;
    summary.run = run;
    summary.status = made.status;
    for (const values::StepRecord& step : steps) {
        history.record(run, step);
    }
    for (int epoch = 1; epoch <= made.epochs; ++epoch) {
        values::EpochRecord record;
        record.epoch = epoch;
        record.valLoss = 1.0 / epoch;
        record.valAccuracy = 1 - 0.5 / epoch;
        record.seconds = 10;
        history.record(run, record);
        summary.epochsLog.push_back(record);
    }
    if (made.status != values::RunStatus::Running) {
        summary.steps = static_cast<std::int64_t>(steps.size());
        summary.epochs = made.epochs;
        summary.medianStepMilliseconds = made.median;
        history.finish(run, summary);
    }
    return run;
}

} // namespace halfstep::ui
