#include "engine/values/experiment_config.h"
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <limits>

namespace halfstep::values {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> fieldsWithProblems(const ExperimentConfig& config) {
    std::vector<std::string> fields;
    for (const FieldProblem& problem : problemsOf(config)) {
        EXPECT_THAT(problem.sentence, testing::EndsWith(".")) << "a problem is a sentence";
        fields.push_back(problem.field);
    }
    return fields;
}

TEST(ExperimentConfig, DefaultsHaveNoProblem) {
    EXPECT_THAT(problemsOf({}), IsEmpty());
}

struct Setting {
    const char* field;
    std::function<void(ExperimentConfig&)> set;
};

class WrongSetting : public testing::TestWithParam<Setting> {};

TEST_P(WrongSetting, IsReportedAtItsOwnFieldOnly) {
    ExperimentConfig config;
    GetParam().set(config);
    EXPECT_THAT(fieldsWithProblems(config), ElementsAre(GetParam().field));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongSetting,
    testing::Values(
        Setting{"data", [](auto& c) { c.data.clear(); }}, Setting{"batch_size", [](auto& c) { c.batchSize = 0; }},
        Setting{"batch_size", [](auto& c) { c.batchSize = 1'000'001; }},
        Setting{"device", [](auto& c) { c.device = "gpu"; }}, Setting{"device", [](auto& c) { c.device = "cuda:"; }},
        Setting{"device", [](auto& c) { c.device = "cuda:x"; }}, Setting{"epochs", [](auto& c) { c.epochs = 0; }},
        Setting{"epochs", [](auto& c) { c.epochs = 10001; }}, Setting{"steps", [](auto& c) { c.steps = 0; }},
        Setting{"image_size", [](auto& c) { c.imageSize = 15; }},
        Setting{"image_size", [](auto& c) { c.imageSize = 4097; }},
        Setting{"threads", [](auto& c) { c.threads = -1; }}, Setting{"threads", [](auto& c) { c.threads = 513; }},
        Setting{"isa", [](auto& c) { c.isa = "AVX 2"; }}, Setting{"isa", [](auto& c) { c.isa.clear(); }},
        Setting{"convolution", [](auto& c) { c.convolution = "winograd"; }},
        Setting{"learning_rate", [](auto& c) { c.learningRate = 0; }},
        Setting{"learning_rate", [](auto& c) { c.learningRate = -0.1; }},
        Setting{"learning_rate", [](auto& c) { c.learningRate = HUGE_VAL; }},
        Setting{"learning_rate", [](auto& c) { c.learningRate = std::numeric_limits<double>::quiet_NaN(); }},
        Setting{"epsilon", [](auto& c) { c.epsilon = 0; }}, Setting{"epsilon", [](auto& c) { c.epsilon = NAN; }},
        Setting{"loss_scale", [](auto& c) { c.lossScale.scale = 0.5; }},
        Setting{"loss_scale", [](auto& c) { c.lossScale.scale = 0x1p128; }},
        Setting{"loss_scale", [](auto& c) { c.lossScale.scale = NAN; }},
        Setting{"loss_scale_growth", [](auto& c) { c.lossScale.growthFactor = 0.5; }},
        Setting{"loss_scale_growth", [](auto& c) { c.lossScale.growthFactor = NAN; }},
        Setting{"loss_scale_backoff", [](auto& c) { c.lossScale.backoffFactor = 1; }},
        Setting{"loss_scale_backoff", [](auto& c) { c.lossScale.backoffFactor = 0; }},
        Setting{"loss_scale_interval", [](auto& c) { c.lossScale.growthInterval = 0; }},
        Setting{"loss_scaling",
                [](auto& c) { c.lossScale = {.scaling = precision::LossScaling::Off, .scale = 1024}; }},
        Setting{"loss_scaling",
                [](auto& c) { c.lossScale = {.scaling = precision::LossScaling::Fixed, .growthInterval = 10}; }},
        Setting{"numerics_every", [](auto& c) { c.numericsEvery = -1; }},
        Setting{"early_stopping_patience", [](auto& c) { c.earlyStoppingPatience = 0; }},
        Setting{"checkpoint_every",
                [](auto& c) {
                    c.checkpoint = "folder";
                    c.checkpointEvery = 0;
                }},
        Setting{"checkpoint_every", [](auto& c) { c.checkpointEvery = 5; }}, // no folder
        Setting{"memory_limit_bytes", [](auto& c) { c.memoryLimitBytes = 0; }}));

TEST(ExperimentConfig, EdgesOfTheRangesAreAllowed) {
    ExperimentConfig least{.batchSize = 1, .device = "cpu", .epochs = 1, .steps = 1, .imageSize = 16, .isa = "sse4"};
    ExperimentConfig most{.batchSize = 1'000'000,
                          .device = "cuda:0",
                          .epochs = 10000,
                          .imageSize = 4096,
                          .threads = 512,
                          .isa = "avx3_zen4",
                          .convolution = "direct"};
    EXPECT_THAT(fieldsWithProblems(least), IsEmpty());
    EXPECT_THAT(fieldsWithProblems(most), IsEmpty());
}

TEST(ExperimentConfig, AutoScalesTheLossWhereKerasDoes) {
    using precision::Policy;
    for (const Policy policy : precision::kPolicies) {
        const auto options = lossScalerOptions({.policy = policy});
        ASSERT_EQ(options.has_value(), policy == Policy::MixedFloat16) << precision::traitsOf(policy).name;
        if (options) {
            EXPECT_EQ(options->initialScale, 32768);
            EXPECT_TRUE(options->dynamic);
        }
    }
}

TEST(ExperimentConfig, LossScalingIsAsSetUnderAnyPolicy) {
    ExperimentConfig config{.policy = precision::Policy::Float16};
    config.lossScale = {.scaling = precision::LossScaling::Fixed, .scale = 1024};
    EXPECT_EQ(lossScalerOptions(config)->initialScale, 1024);
    EXPECT_FALSE(lossScalerOptions(config)->dynamic);
    config.lossScale = {.scaling = precision::LossScaling::Dynamic,
                        .rule = precision::LossScaleRule::PyTorch,
                        .growthFactor = 4,
                        .backoffFactor = 0.25,
                        .growthInterval = 7};
    const auto options = lossScalerOptions(config);
    EXPECT_EQ(options->initialScale, 65536);
    EXPECT_EQ(options->growthFactor, 4);
    EXPECT_EQ(options->backoffFactor, 0.25);
    EXPECT_EQ(options->growthInterval, 7);
    config = {.policy = precision::Policy::MixedFloat16};
    config.lossScale.scaling = precision::LossScaling::Off;
    EXPECT_FALSE(lossScalerOptions(config).has_value());
}

TEST(ExperimentConfig, NamesOfOptimizersAreReadBack) {
    EXPECT_EQ(optimizerNamed("adam"), OptimizerKind::Adam);
    EXPECT_EQ(optimizerNamed(nameOf(OptimizerKind::Sgd)), OptimizerKind::Sgd);
    EXPECT_FALSE(optimizerNamed("lion").has_value());
}

TEST(ExperimentConfig, WarnsOfAdamOnlyWhereAdamRuns) {
    ExperimentConfig config{.policy = precision::Policy::Float16, .epsilon = 1e-8};
    EXPECT_THAT(warningsOf(config), testing::Contains(HasSubstr("epsilon 1e-08 rounds to 0 in float16")));
    config.optimizer = OptimizerKind::Sgd;
    EXPECT_THAT(warningsOf(config), testing::Not(testing::Contains(HasSubstr("Adam"))));
    EXPECT_THAT(warningsOf({.policy = precision::Policy::MixedFloat16}), IsEmpty());
}

TEST(ExperimentConfig, KnowsTheConvolutionMethods) {
    for (const char* method : {"auto", "fft", "direct"}) {
        EXPECT_TRUE(problemsOf({.convolution = method}).empty()) << method;
    }
    const auto problems = problemsOf({.convolution = "winograd"});
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].field, "convolution");
    EXPECT_THAT(problems[0].sentence, HasSubstr("auto, fft or direct"));
}

TEST(ExperimentConfig, EveryProblemIsReportedAtOnce) {
    ExperimentConfig config;
    config.batchSize = 0;
    config.epochs = 0;
    config.learningRate = 0;
    EXPECT_THAT(fieldsWithProblems(config), ElementsAre("batch_size", "epochs", "learning_rate"));
}

} // namespace
} // namespace halfstep::values
