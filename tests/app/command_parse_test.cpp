#include "app/cli/sweep_options.h"
#include "app/cli/train_options.h"
#include "engine/report/command.h"
#include "engine/tensor/error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <gmock/gmock.h>

/// What a report gives as the command that repeats a run, read by the command line itself.
namespace halfstep::app {
namespace {
using precision::Policy;

std::vector<std::string> forCli(std::vector<std::string> arguments) {
    arguments.erase(arguments.begin()); // the command's name
    std::ranges::reverse(arguments);    // as CLI11 wants a vector
    return arguments;
}

values::ExperimentConfig readBack(const values::ExperimentConfig& config) {
    CLI::App command;
    TrainArguments arguments;
    addTrainOptions(command, arguments);
    command.parse(forCli(report::trainArguments(config)));
    checkTrainOptions(command, arguments);
    return arguments.config;
}

values::SweepConfig readBack(const values::SweepConfig& config) {
    CLI::App command;
    SweepArguments arguments;
    addSweepOptions(command, arguments);
    command.parse(forCli(report::sweepArguments(config)));
    checkSweepOptions(command, arguments);
    return arguments.config;
}

TEST(Repeating, DefaultsComeBack) {
    EXPECT_EQ(readBack(values::ExperimentConfig{}), values::ExperimentConfig{});
    EXPECT_EQ(readBack(values::SweepConfig{}), values::SweepConfig{});
}

TEST(Repeating, EverySettingOfARunComesBack) {
    const values::ExperimentConfig config{.name = "it's \"a\" name",
                                          .data = "/a b/set.tgz",
                                          .policy = Policy::MixedFloat16,
                                          .batchSize = 8,
                                          .device = "cpu",
                                          .epochs = 3,
                                          .imageSize = 64,
                                          .seed = 18446744073709551615U,
                                          .threads = 2,
                                          .isa = "auto",
                                          .convolution = "direct",
                                          .learningRate = 0.1 + 0.2,
                                          .epsilon = 1e-8,
                                          .lossScale = {.scaling = precision::LossScaling::Dynamic,
                                                        .rule = precision::LossScaleRule::PyTorch,
                                                        .scale = 1024,
                                                        .growthFactor = 1.5,
                                                        .backoffFactor = 0.25,
                                                        .growthInterval = 10},
                                          .numericsEvery = 0,
                                          .earlyStoppingPatience = 2,
                                          .weights = "first.safetensors",
                                          .checkpoint = "kept",
                                          .checkpointEvery = 5,
                                          .memoryLimitBytes = 1234567891011};
    EXPECT_EQ(readBack(config), config);
}

TEST(Repeating, ARunThatEndsAfterStepsComesBackWithoutItsEpochs) {
    const values::ExperimentConfig config{
        .epochs = 3, .steps = 7, .optimizer = values::OptimizerKind::Sgd, .epsilon = 1};
    values::ExperimentConfig expected = config;
    expected.epochs = 20;    // decides nothing
    expected.epsilon = 1e-7; // Adam's
    EXPECT_EQ(readBack(config), expected);
}

TEST(Repeating, NamesComeBackWhateverTheyHold) {
    for (const char* name : {"--batch-size", "-x", "[a,b]", "{}", "a,b", "=", "%s", "two\nlines", " ", "\"", "'",
                             "\\", "Größe 测试 🙂", "bad\xFF", "@file", "#", "true"}) {
        EXPECT_EQ(readBack(values::ExperimentConfig{.name = name}).name, name);
        values::SweepConfig sweep;
        sweep.base.name = name;
        EXPECT_EQ(readBack(sweep).base.name, name);
    }
}

TEST(Repeating, EverySettingOfASweepComesBack) {
    values::SweepConfig config{.policies = {Policy::MixedFloat16, Policy::BFloat16},
                               .batchSizes = {8, 16},
                               .devices = {"cpu", "auto"},
                               .steps = 10,
                               .warmup = 0,
                               .repeats = 2,
                               .orderSeed = 9,
                               .input = values::SweepInput::Synthetic,
                               .baseline = {.policy = Policy::BFloat16, .device = "cpu", .isa = "auto"}};
    config.base = {.name = "n",
                   .data = "set.tgz",
                   .imageSize = 64,
                   .seed = 2,
                   .threads = 1,
                   .convolution = "fft",
                   .optimizer = values::OptimizerKind::Sgd,
                   .learningRate = 0.05,
                   .lossScale = {.scaling = precision::LossScaling::Fixed, .scale = 8},
                   .memoryLimitBytes = 1 << 30};
    EXPECT_EQ(readBack(config), config);
    config.baseline = {.policy = Policy::MixedFloat16}; // the first of the list goes without saying
    EXPECT_EQ(readBack(config), config);
    config.baseline = {.policy = std::nullopt, .device = "auto"};
    EXPECT_EQ(readBack(config), config);
}

TEST(Repeating, WhatNoStepOfASweepLooksAtIsLeftOut) {
    values::SweepConfig config;
    config.base.epochs = 3;
    config.base.checkpoint = "kept";
    config.base.policy = Policy::Float16; // the lists' business
    config.base.batchSize = 7;
    EXPECT_EQ(readBack(config), values::SweepConfig{});
}

} // namespace
} // namespace halfstep::app
