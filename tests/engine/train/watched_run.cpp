#include "tests/engine/train/watched_run.h"
#include "engine/backend/backend.h"
#include "engine/train/checkpoint_folder.h"
#include "tests/engine/train/made_dataset.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace halfstep::tests {
namespace {

values::StepRecord withoutTimes(values::StepRecord step) {
    step.stepMilliseconds = step.dataWaitMilliseconds = 0;
    return step;
}

values::EpochRecord withoutTimes(values::EpochRecord epoch) {
    epoch.seconds = 0;
    return epoch;
}

} // namespace

values::ExperimentConfig smallConfig(precision::Policy policy) {
    values::ExperimentConfig config;
    config.policy = policy;
    config.batchSize = 8;
    config.epochs = 2;
    config.imageSize = 16;
    config.seed = 3;
    return config;
}

Watched watch(const values::ExperimentConfig& config, Watching watching) {
    Watched watched;
    watched.steps = watching.start.steps;
    watched.epochs = watching.start.epochs;
    std::stop_source stop;
    train::Trainer trainer(config, madeDataset(watching.train, watching.validation, config.imageSize),
                           backend::makeBackend({.threads = watching.threads}));
    watched.summary = trainer.run(
        [&](const values::RunEvent& event) {
            if (const auto* step = std::get_if<values::StepRecord>(&event)) {
                watched.steps.push_back(*step);
            } else if (const auto* epoch = std::get_if<values::EpochRecord>(&event)) {
                watched.epochs.push_back(*epoch);
            } else if (const auto* notice = std::get_if<values::Notice>(&event)) {
                watched.notices.push_back(*notice);
            }
            if (watching.stopWhen && watching.stopWhen(event)) {
                stop.request_stop();
            }
        },
        {.stop = stop.get_token(), .pause = watching.pause}, std::move(watching.start));
    watched.weights = trainer.weights();
    return watched;
}

Watched goOn(const values::ExperimentConfig& config, const Watched& before, Watching watching) {
    watching.start.resume = train::CheckpointFolder(config.checkpoint).read();
    const train::RunPosition& position = watching.start.resume->state.position;
    std::ranges::copy_if(before.steps, std::back_inserter(watching.start.steps),
                         [&](const auto& step) { return step.step <= position.step; });
    std::ranges::copy_if(before.epochs, std::back_inserter(watching.start.epochs),
                         [&](const auto& epoch) { return epoch.epoch < position.epoch; });
    return watch(config, std::move(watching));
}

std::function<bool(const values::RunEvent&)> afterStep(std::int64_t step) {
    return [step](const values::RunEvent& event) {
        const auto* record = std::get_if<values::StepRecord>(&event);
        return record != nullptr && record->step == step;
    };
}

std::vector<double> lossesOf(const Watched& watched) {
    std::vector<double> losses;
    for (const values::StepRecord& step : watched.steps) {
        losses.push_back(step.loss);
    }
    return losses;
}

void expectSameRun(const Watched& run, const Watched& expected) {
    ASSERT_EQ(run.steps.size(), expected.steps.size());
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        ASSERT_EQ(withoutTimes(run.steps[i]), withoutTimes(expected.steps[i])) << "step " << i + 1;
    }
    ASSERT_EQ(run.epochs.size(), expected.epochs.size());
    for (std::size_t i = 0; i < run.epochs.size(); ++i) {
        ASSERT_EQ(withoutTimes(run.epochs[i]), withoutTimes(expected.epochs[i])) << "epoch " << i + 1;
    }
    EXPECT_EQ(run.summary.status, expected.summary.status);
    EXPECT_EQ(run.summary.steps, expected.summary.steps);
    EXPECT_EQ(run.summary.epochs, expected.summary.epochs);
    EXPECT_EQ(run.summary.skippedSteps, expected.summary.skippedSteps);
    ASSERT_EQ(run.weights.size(), expected.weights.size());
    for (std::size_t i = 0; i < run.weights.size(); ++i) {
        EXPECT_EQ(run.weights[i].values, expected.weights[i].values) << run.weights[i].name;
    }
}

} // namespace halfstep::tests
