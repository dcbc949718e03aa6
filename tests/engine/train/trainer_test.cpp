#include "engine/backend/backend.h"
#include "engine/train/trainer.h"
#include "tests/engine/train/made_dataset.h"
#include "tests/engine/train/watched_run.h"
#include <atomic>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace halfstep::tests {
namespace {

using precision::Policy;
using testing::HasSubstr;
using values::RunStatus;

class EveryPolicy : public testing::TestWithParam<Policy> {};
INSTANTIATE_TEST_SUITE_P(Trainer, EveryPolicy, testing::ValuesIn(precision::kPolicies),
                         [](const auto& tested) { return std::string(precision::traitsOf(tested.param).name); });

TEST_P(EveryPolicy, LearnsToTellTwoClassesApart) {
    values::ExperimentConfig config = smallConfig(GetParam());
    config.epochs = 6;
    const Watched watched = watch(config, {.train = 64, .validation = 16});
    EXPECT_EQ(watched.summary.status, RunStatus::Finished);
    ASSERT_EQ(watched.epochs.size(), 6u);
    EXPECT_LT(watched.epochs.back().loss, 0.5 * watched.epochs.front().loss);
    EXPECT_GT(watched.epochs.back().accuracy, 0.95);
}

TEST_P(EveryPolicy, TheSameSeedGivesTheSameRunForAnyNumberOfThreads) {
    const Watched one = watch(smallConfig(GetParam()), {.threads = 1});
    const Watched three = watch(smallConfig(GetParam()), {.threads = 3});
    EXPECT_EQ(lossesOf(one), lossesOf(three));
    ASSERT_EQ(one.epochs.size(), three.epochs.size());
    EXPECT_EQ(one.epochs.back().valLoss, three.epochs.back().valLoss);
    EXPECT_EQ(one.epochs.back().guesses, three.epochs.back().guesses);
}

TEST(Trainer, AnotherSeedGivesAnotherRun) {
    values::ExperimentConfig config = smallConfig();
    const Watched first = watch(config);
    config.seed = 4;
    EXPECT_NE(lossesOf(first), lossesOf(watch(config)));
}

TEST(Trainer, StepsCountAcrossEpochsAndTheLastBatchIsSmaller) {
    const Watched watched = watch(smallConfig());
    ASSERT_EQ(watched.steps.size(), 6u);
    for (std::size_t i = 0; i < watched.steps.size(); ++i) {
        EXPECT_EQ(watched.steps[i].step, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(watched.steps[i].epoch, i < 3 ? 1 : 2);
        EXPECT_EQ(watched.steps[i].batchSize, i % 3 == 2 ? 5 : 8);
    }
}

TEST(Trainer, EpochMeansAreWeightedByBatchSize) {
    const Watched watched = watch(smallConfig());
    double loss = 0, accuracy = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        loss += watched.steps[i].loss * watched.steps[i].batchSize;
        accuracy += watched.steps[i].accuracy * watched.steps[i].batchSize;
    }
    ASSERT_FALSE(watched.epochs.empty());
    EXPECT_NEAR(watched.epochs[0].loss, loss / 21, 1e-12);
    EXPECT_NEAR(watched.epochs[0].accuracy, accuracy / 21, 1e-12);
    EXPECT_NEAR(*watched.epochs[0].valAccuracy * 10, std::round(*watched.epochs[0].valAccuracy * 10), 1e-9);
}

TEST(Trainer, ABatchLargerThanTheSetIsOneStep) {
    values::ExperimentConfig config = smallConfig();
    config.batchSize = 64;
    const Watched watched = watch(config);
    ASSERT_EQ(watched.steps.size(), 2u);
    EXPECT_EQ(watched.steps[0].batchSize, 21);
    EXPECT_FALSE(watched.summary.medianStepMilliseconds.has_value());
}

TEST(Trainer, ASetWithoutValidationHasEpochsWithoutIt) {
    const Watched watched = watch(smallConfig(), {.validation = 0});
    ASSERT_EQ(watched.epochs.size(), 2u);
    EXPECT_FALSE(watched.epochs[0].valLoss.has_value());
    EXPECT_TRUE(watched.epochs[0].guesses.empty());
}

TEST(Trainer, StepsEndTheRunInTheMiddleOfAnEpoch) {
    values::ExperimentConfig config = smallConfig();
    config.steps = 4;
    const Watched watched = watch(config);
    EXPECT_EQ(watched.summary.status, RunStatus::Finished);
    EXPECT_EQ(watched.summary.steps, 4);
    EXPECT_EQ(watched.summary.epochs, 1);
}

TEST(Trainer, AStopIsSeenAfterTheStepAndIsNoError) {
    const Watched watched = watch(smallConfig(), {.stopWhen = afterStep(2)});
    EXPECT_EQ(watched.summary.status, RunStatus::Stopped);
    EXPECT_EQ(watched.summary.steps, 2);
    EXPECT_TRUE(watched.epochs.empty());
}

TEST(Trainer, AStopInValidationKeepsTheEpochsTraining) {
    const auto inValidation = [](const values::RunEvent& event) {
        return std::holds_alternative<values::ValidationProgress>(event);
    };
    const Watched watched = watch(smallConfig(), {.validation = 24, .stopWhen = inValidation});
    EXPECT_EQ(watched.summary.status, RunStatus::Stopped);
    ASSERT_EQ(watched.epochs.size(), 1u);
    EXPECT_FALSE(watched.epochs[0].valLoss.has_value());
}

TEST(Trainer, APausedRunWaitsAndThenGivesTheSameNumbers) {
    train::PauseSwitch pause;
    pause.pause();
    std::atomic<int> steps = 0;
    std::vector<double> losses;
    train::Trainer trainer(smallConfig(), madeDataset(21, 10, 16), backend::makeBackend({.threads = 2}));
    std::jthread worker([&] {
        trainer.run(
            [&](const values::RunEvent& event) {
                if (const auto* step = std::get_if<values::StepRecord>(&event)) {
                    losses.push_back(step->loss);
                    ++steps;
                }
            },
            {.stop = {}, .pause = &pause});
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(steps, 0);
    pause.resume();
    worker.join();
    EXPECT_EQ(losses, lossesOf(watch(smallConfig())));
}

TEST(Trainer, AHugeLearningRateDivergesWithASentence) {
    values::ExperimentConfig config = smallConfig();
    config.learningRate = 1e30;
    config.epochs = 100;
    const Watched float32 = watch(config);
    EXPECT_EQ(float32.summary.status, RunStatus::Diverged);
    EXPECT_THAT(float32.summary.message, HasSubstr("Lower the learning rate"));

    config.policy = Policy::MixedFloat16;
    const Watched float16 = watch(config);
    EXPECT_EQ(float16.summary.status, RunStatus::Diverged);
    EXPECT_GE(float16.summary.skippedSteps, 50);
    EXPECT_EQ(float16.steps.back().lossScale, 1.0); // the floor; never 0
}

TEST(Trainer, GuessesNameTheirTruth) {
    const Watched watched = watch(smallConfig(), {.validation = 40});
    ASSERT_EQ(watched.epochs.back().guesses.size(), 12u);
    for (const values::Guess& guess : watched.epochs.back().guesses) {
        EXPECT_EQ(guess.truth, guess.photograph % 2);
        EXPECT_GE(guess.probability, 0.5);
        EXPECT_LE(guess.probability, 1.0);
    }
}

} // namespace
} // namespace halfstep::tests
