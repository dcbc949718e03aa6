#include "engine/train/checkpoint_folder.h"
#include "engine/train/weights_file.h"
#include "tests/engine/train/watched_run.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace halfstep::tests {
namespace {
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using values::RunStatus;

/// What is kept of a run's best epoch, and when a run ends that gets no better.
class BestAndEarly : public testing::Test {
protected:
    BestAndEarly() {
        config = smallConfig();
        config.epochs = 12;
        config.checkpoint = m_folder.path();
    }

    static double judgedLoss(const values::EpochRecord& epoch) { return epoch.valLoss.value_or(epoch.loss); }

    std::filesystem::path best() const { return m_folder.path() / "best"; }

    support::TemporaryFolder m_folder;
    values::ExperimentConfig config;
};

TEST_F(BestAndEarly, TheBestCheckpointIsThatOfTheLowestValidationLoss) {
    config.learningRate = 0.05;
    const Watched run = watch(config);
    const auto lowest = std::ranges::min_element(run.epochs, {}, judgedLoss);
    EXPECT_EQ(std::filesystem::read_symlink(best()).string(), fmt::format("step-{:06}", 3 * lowest->epoch));
    config.checkpoint.clear();
    config.epochs = lowest->epoch;
    const Watched shorter = watch(config);
    const auto kept = train::readWeights(best() / "weights.safetensors");
    for (std::size_t i = 0; i < kept.size(); ++i) {
        EXPECT_EQ(kept[i].values, shorter.weights[i].values) << kept[i].name;
    }
}

TEST_F(BestAndEarly, WithoutAValidationSplitTheTrainingLossDecides) {
    const Watched run = watch(config, {.validation = 0});
    const auto lowest = std::ranges::min_element(run.epochs, {}, judgedLoss);
    EXPECT_EQ(train::CheckpointFolder(config.checkpoint).read().state.best.epoch, lowest->epoch);
}

TEST_F(BestAndEarly, ARunThatGetsNoBetterEndsAsFinishedAndSaysWhy) {
    config.learningRate = 0.05;
    config.earlyStoppingPatience = 2;
    const Watched run = watch(config);
    EXPECT_EQ(run.summary.status, RunStatus::Finished);
    EXPECT_EQ(run.summary.message, "");
    const auto lowest = std::ranges::min_element(run.epochs, {}, judgedLoss);
    ASSERT_EQ(run.epochs.back().epoch, lowest->epoch + 2);
    EXPECT_THAT(run.notices,
                Contains(Field(&values::Notice::text, AllOf(HasSubstr("Early stopping"), HasSubstr("validation loss"),
                                                            HasSubstr(fmt::format("of epoch {}", lowest->epoch))))));
}

TEST_F(BestAndEarly, ARunThatDivergesIsMarkedAtItsStepAndItsBestIsFinite) {
    config.epochs = 5;
    config.learningRate = 1e30;
    config.earlyStoppingPatience = 5;
    config.batchSize = 21; // one step an epoch: the first is validated with weights of 1e30
    const Watched run = watch(config);
    EXPECT_EQ(run.summary.status, RunStatus::Diverged);
    EXPECT_EQ(run.steps.size(), 2u) << "it ends at once";
    EXPECT_THAT(run.summary.message, HasSubstr("at step 2"));
    EXPECT_FALSE(std::isfinite(run.epochs.at(0).valLoss.value()));
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(best()))) << "no epoch was finite";
}

TEST_F(BestAndEarly, ADivergenceLeavesTheBestAndTheLastCheckpointOfBefore) {
    config.epochs = 1;
    const Watched sane = watch(config);
    config.epochs = 5;
    config.learningRate = 1e30; // the settings change what no resumed run may change: here it breaks the second epoch
    const Watched run = goOn(config, sane);
    ASSERT_EQ(run.summary.status, RunStatus::Diverged);
    EXPECT_EQ(train::CheckpointFolder(config.checkpoint).read().state.position.step, 3);
    for (const train::NamedArray& weight : train::readWeights(best() / "weights.safetensors")) {
        EXPECT_TRUE(std::ranges::all_of(weight.values, [](float value) { return std::isfinite(value); }))
            << weight.name;
    }
}

TEST_F(BestAndEarly, WeightsThatAreNotFiniteAreNeverBestWhateverTheLoss) {
    config.epochs = 1;
    watch(config);
    train::Checkpoint checkpoint = train::CheckpointFolder(config.checkpoint).read();
    checkpoint.state.best = {};
    // An infinite variance makes the outputs of the last block in validation its beta: the loss stays finite.
    const auto variance =
        std::ranges::find(checkpoint.weights, "batch_normalization_2/moving_variance", &train::NamedArray::name);
    std::ranges::fill(variance->values, HUGE_VALF);
    config.epochs = 2;
    const Watched run = watch(config, {.start = {.resume = checkpoint}});
    ASSERT_TRUE(std::isfinite(run.epochs.at(0).valLoss.value()));
    EXPECT_EQ(train::CheckpointFolder(config.checkpoint).read().state.best.epoch, 0);
}

TEST_F(BestAndEarly, ACheckpointThatCannotBeWrittenIsAWarningAndTheRunGoesOn) {
    config.epochs = 1;
    config.checkpoint = "/dev/null/nowhere";
    const Watched run = watch(config);
    EXPECT_EQ(run.summary.status, RunStatus::Finished);
    EXPECT_THAT(run.notices, Contains(Field(&values::Notice::text,
                                            AllOf(HasSubstr("checkpoint"), HasSubstr("/dev/null/nowhere")))));
}

} // namespace
} // namespace halfstep::tests
