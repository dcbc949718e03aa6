#include "engine/train/checkpoint_folder.h"
#include "tests/engine/train/watched_run.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <thread>

namespace halfstep::tests {
namespace {
using precision::Policy;
using values::RunStatus;

bool isValidation(const values::RunEvent& event) {
    return std::holds_alternative<values::ValidationProgress>(event);
}

bool isEpoch(const values::RunEvent& event) {
    return std::holds_alternative<values::EpochRecord>(event);
}

/// A run of three epochs of three steps that is stopped here and there and resumed, against one that is not.
class Resume : public testing::TestWithParam<Policy> {
protected:
    Resume() {
        config = smallConfig(GetParam());
        config.epochs = 3;
        config.numericsEvery = 2;
        if (GetParam() == Policy::MixedFloat16) {
            config.lossScale.scale = 0x1p21; // skips steps before it fits, some before the stop and some after
            config.lossScale.growthInterval = 2;
        }
        stopping = config;
        stopping.checkpoint = m_folder.path();
    }

    train::Checkpoint lastCheckpoint() const { return train::CheckpointFolder(stopping.checkpoint).read(); }

    support::TemporaryFolder m_folder;
    values::ExperimentConfig config;
    values::ExperimentConfig stopping; ///< the same, with checkpoints
};

INSTANTIATE_TEST_SUITE_P(Trainer, Resume,
                         testing::Values(Policy::Float32, Policy::MixedFloat16, Policy::MixedBFloat16,
                                         Policy::Float16),
                         [](const auto& tested) { return std::string(precision::traitsOf(tested.param).name); });

TEST_P(Resume, InTheMiddleOfAnEpochAndWithOtherThreadsEqualsAnUninterruptedRun) {
    const Watched whole = watch(config);
    const Watched first = watch(stopping, {.stopWhen = afterStep(5)});
    ASSERT_EQ(first.summary.status, RunStatus::Stopped);
    ASSERT_EQ(lastCheckpoint().state.position.batches, 2);
    expectSameRun(goOn(stopping, first, {.threads = 3}), whole);
}

TEST_P(Resume, AtTheEndOfAnEpochBeforeItsValidationEqualsAnUninterruptedRun) {
    const Watched whole = watch(config);
    const Watched first = watch(stopping, {.stopWhen = isValidation});
    ASSERT_EQ(first.summary.status, RunStatus::Stopped);
    ASSERT_EQ(first.epochs.size(), 1u);
    ASSERT_FALSE(first.epochs[0].valLoss.has_value());
    ASSERT_EQ(lastCheckpoint().state.position.batches, 3);
    expectSameRun(goOn(stopping, first, {.threads = 1}), whole);
}

TEST_P(Resume, ManyTimesEqualsAnUninterruptedRun) {
    const Watched whole = watch(config);
    Watched run = watch(stopping, {.stopWhen = afterStep(1)});
    run = goOn(stopping, run, {.threads = 1, .stopWhen = afterStep(2)});
    run = goOn(stopping, run, {.stopWhen = afterStep(3)}); // the last of the epoch
    EXPECT_EQ(run.epochs.size(), 1u);
    run = goOn(stopping, run, {.threads = 3, .stopWhen = isEpoch});
    EXPECT_EQ(lastCheckpoint().state.position.epoch, 2);
    run = goOn(stopping, run, {.stopWhen = afterStep(8)});
    run = goOn(stopping, run);
    expectSameRun(run, whole);
}

TEST_P(Resume, TheCheckpointsOfTheEndsAreEqualToo) {
    support::TemporaryFolder other;
    values::ExperimentConfig undisturbed = stopping;
    undisturbed.checkpoint = other.path();
    watch(undisturbed);
    const Watched first = watch(stopping, {.stopWhen = afterStep(4)});
    goOn(stopping, first);
    const train::Checkpoint expected = train::CheckpointFolder(undisturbed.checkpoint).read();
    train::Checkpoint got = lastCheckpoint();
    got.state.config = expected.state.config; // the folder's name
    EXPECT_EQ(got.state, expected.state);
    ASSERT_EQ(got.optimizer.size(), expected.optimizer.size());
    for (std::size_t i = 0; i < got.optimizer.size(); ++i) {
        EXPECT_EQ(got.optimizer[i].values, expected.optimizer[i].values) << got.optimizer[i].name;
    }
}

class ResumeFloat32 : public Resume {};
INSTANTIATE_TEST_SUITE_P(Trainer, ResumeFloat32, testing::Values(Policy::Float32));

TEST_P(ResumeFloat32, CheckpointsChangeNothing) {
    stopping.checkpointEvery = 1;
    expectSameRun(watch(stopping), watch(config));
}

TEST_P(ResumeFloat32, FromACheckpointThatAKilledRunLeftEqualsAnUninterruptedRun) {
    const Watched whole = watch(config);
    stopping.checkpointEvery = 2;
    Watched first; // gets to step 5 and dies: what is there is the checkpoint of step 4
    try {
        watch(stopping, {.stopWhen = [&](const values::RunEvent& event) {
                  if (const auto* step = std::get_if<values::StepRecord>(&event)) {
                      first.steps.push_back(*step);
                  } else if (const auto* epoch = std::get_if<values::EpochRecord>(&event)) {
                      first.epochs.push_back(*epoch);
                  }
                  if (first.steps.size() == 5) {
                      throw std::runtime_error("as a kill would");
                  }
                  return false;
              }});
    } catch (const std::runtime_error&) {
    }
    ASSERT_EQ(lastCheckpoint().state.position.step, 4);
    expectSameRun(goOn(stopping, first), whole);
}

TEST_P(ResumeFloat32, OfARunThatIsPausedEqualsAnUninterruptedRun) {
    train::PauseSwitch pause;
    std::jthread person; // lets it go on, later pauses it for good and stops it
    const Watched first = watch(stopping, {.stopWhen =
                                               [&](const values::RunEvent& event) {
                                                   if (afterStep(2)(event)) {
                                                       pause.pause();
                                                       person = std::jthread([&] { pause.resume(); });
                                                   }
                                                   if (afterStep(4)(event)) {
                                                       person = {};
                                                       pause.pause();
                                                       return true;
                                                   }
                                                   return false;
                                               },
                                           .pause = &pause});
    ASSERT_EQ(first.summary.status, RunStatus::Stopped);
    EXPECT_EQ(first.summary.steps, 4);
    expectSameRun(goOn(stopping, first), watch(config));
}

TEST_P(ResumeFloat32, WithMoreEpochsEqualsARunThatWasLongerFromTheStart) {
    config.epochs = 4;
    const Watched first = watch(stopping);
    ASSERT_EQ(first.summary.status, RunStatus::Finished);
    stopping.epochs = 4;
    expectSameRun(goOn(stopping, first), watch(config));
}

TEST_P(ResumeFloat32, OfARunThatEndedByItsStepsGoesOnInTheEpoch) {
    const Watched whole = watch(config);
    values::ExperimentConfig shorter = stopping;
    shorter.steps = 4;
    const Watched first = watch(shorter);
    ASSERT_EQ(first.summary.status, RunStatus::Finished);
    EXPECT_EQ(first.epochs.size(), 1u);
    expectSameRun(goOn(stopping, first), whole);
}

TEST_P(ResumeFloat32, WithoutAValidationSplitEqualsAnUninterruptedRun) {
    const Watched first = watch(stopping, {.validation = 0, .stopWhen = afterStep(5)});
    expectSameRun(goOn(stopping, first, {.validation = 0}), watch(config, {.validation = 0}));
}

TEST_P(ResumeFloat32, EarlyStoppingAndTheBestEpochGoOnWhereTheyWere) {
    config.epochs = stopping.epochs = 12;
    config.earlyStoppingPatience = stopping.earlyStoppingPatience = 2;
    config.learningRate = stopping.learningRate = 0.05; // so that it gets worse
    const Watched whole = watch(config);
    ASSERT_LT(whole.epochs.size(), 12u);
    Watched run = watch(stopping, {.stopWhen = isEpoch});
    while (run.summary.status == RunStatus::Stopped) {
        run = goOn(stopping, run, {.stopWhen = isEpoch});
    }
    expectSameRun(run, whole);
}

} // namespace
} // namespace halfstep::tests
