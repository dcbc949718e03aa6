#include "engine/values/learning_settings.h"
#include <gtest/gtest.h>

namespace halfstep::values {
namespace {

TEST(LearningSettings, AreEqualForRunsThatDifferInSeedAndBookkeeping) {
    const ExperimentConfig one;
    ExperimentConfig other = one;
    other.seed = 7;
    other.name = "a name";
    other.threads = 3;
    other.numericsEvery = 0;
    other.checkpoint = "/a/folder";
    other.checkpointEvery = 5;
    other.memoryLimitBytes = 1'000'000;
    EXPECT_EQ(learningSettings(one), learningSettings(other));
}

TEST(LearningSettings, DifferWithWhatChangesTheNumbers) {
    const ExperimentConfig one;
    for (const auto& change : {+[](ExperimentConfig& config) { config.policy = precision::Policy::MixedFloat16; },
                               +[](ExperimentConfig& config) { config.batchSize = 33; },
                               +[](ExperimentConfig& config) { config.imageSize = 64; },
                               +[](ExperimentConfig& config) { config.epochs = 3; },
                               +[](ExperimentConfig& config) { config.learningRate = 0.1; },
                               +[](ExperimentConfig& config) { config.weights = "first.safetensors"; },
                               +[](ExperimentConfig& config) { config.convolution = "direct"; }}) {
        ExperimentConfig other = one;
        change(other);
        EXPECT_NE(learningSettings(one), learningSettings(other));
    }
}

} // namespace
} // namespace halfstep::values
