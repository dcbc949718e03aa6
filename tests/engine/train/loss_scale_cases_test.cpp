// Cases A05 and A06: runs whose gradients are not finite.
#include "engine/train/checkpoint_folder.h"
#include "tests/engine/train/watched_run.h"
#include "tests/support/temporary_folder.h"
#include <cmath>
#include <gmock/gmock.h>

namespace halfstep::tests {
namespace {
using precision::Policy;
using testing::HasSubstr;
using values::RunStatus;

TEST(NonFiniteGradients, ForFiftyStepsEndTheRunAsDivergedWithTheScaleAtItsFloor) {
    values::ExperimentConfig config = smallConfig(Policy::MixedFloat16);
    config.optimizer = values::OptimizerKind::Sgd;
    config.learningRate = 1e30;
    config.epochs = 100;
    const Watched run = watch(config);
    EXPECT_EQ(run.summary.status, RunStatus::Diverged);
    EXPECT_THAT(run.summary.message, testing::AllOf(HasSubstr("Diverged at step"), HasSubstr("50 steps in a row"),
                                                    HasSubstr("loss scale at its floor, 1")));
    EXPECT_EQ(run.summary.skippedSteps, 50);
    EXPECT_FALSE(run.steps[run.steps.size() - 51].skipped);
    for (const values::StepRecord& step : run.steps) {
        EXPECT_TRUE(std::isnormal(step.lossScale.value())) << step.step;
        EXPECT_GE(step.lossScale.value(), 1) << step.step;
    }
    config.learningRate = 0.01;
    config.epochs = 2;
    EXPECT_EQ(watch(config).summary.status, RunStatus::Finished) << "a sane run after it";
}

/// 2^40 is far too large: the first steps are skipped.
values::ExperimentConfig tooLargeAScale() {
    values::ExperimentConfig config = smallConfig(Policy::MixedFloat16);
    config.lossScale.scale = 0x1p40;
    return config;
}

TEST(SkippedSteps, CountAsStepsOfTheEpochButNotAsIterations) {
    support::TemporaryFolder folder;
    values::ExperimentConfig config = tooLargeAScale();
    config.epochs = 10;
    config.checkpoint = folder.path();
    const Watched run = watch(config);
    ASSERT_TRUE(run.steps[0].skipped && run.steps[1].skipped && run.steps[2].skipped);
    ASSERT_GT(run.summary.skippedSteps, 3);
    ASSERT_LT(run.summary.skippedSteps, 30);
    EXPECT_EQ(run.steps.size(), 30u) << "the epochs have the length that they have";
    for (const values::StepRecord& step : run.steps) {
        EXPECT_EQ(step.epoch, (step.step - 1) / 3 + 1);
    }
    const train::CheckpointState state = train::CheckpointFolder(config.checkpoint).read().state;
    EXPECT_EQ(state.iterations, 30 - run.summary.skippedSteps);
    EXPECT_EQ(state.lossScaler->skippedSteps, run.summary.skippedSteps);
}

TEST(SkippedSteps, AreToldByTheScaleBeforeItsFirstGrowth) {
    values::ExperimentConfig config = tooLargeAScale();
    config.steps = 200;
    const Watched run = watch(config);
    ASSERT_EQ(run.steps.size(), 200u);
    int skipped = 0;
    for (const values::StepRecord& step : run.steps) {
        ASSERT_EQ(step.lossScale, std::ldexp(0x1p40, -skipped)) << step.step;
        skipped += step.skipped ? 1 : 0;
    }
    EXPECT_EQ(run.summary.skippedSteps, skipped);
    EXPECT_FALSE(run.steps.back().skipped);
}

} // namespace
} // namespace halfstep::tests
