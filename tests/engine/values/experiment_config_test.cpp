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
        Setting{"batch_size", [](auto& c) { c.batchSize = 4097; }},
        Setting{"device", [](auto& c) { c.device = "gpu"; }}, Setting{"device", [](auto& c) { c.device = "cuda:"; }},
        Setting{"device", [](auto& c) { c.device = "cuda:x"; }}, Setting{"epochs", [](auto& c) { c.epochs = 0; }},
        Setting{"epochs", [](auto& c) { c.epochs = 10001; }}, Setting{"steps", [](auto& c) { c.steps = 0; }},
        Setting{"image_size", [](auto& c) { c.imageSize = 15; }},
        Setting{"image_size", [](auto& c) { c.imageSize = 1025; }},
        Setting{"threads", [](auto& c) { c.threads = -1; }}, Setting{"threads", [](auto& c) { c.threads = 513; }},
        Setting{"isa", [](auto& c) { c.isa = "AVX 2"; }}, Setting{"isa", [](auto& c) { c.isa.clear(); }},
        Setting{"convolution", [](auto& c) { c.convolution = "winograd"; }},
        Setting{"learning_rate", [](auto& c) { c.learningRate = 0; }},
        Setting{"learning_rate", [](auto& c) { c.learningRate = -0.1; }},
        Setting{"learning_rate", [](auto& c) { c.learningRate = HUGE_VAL; }},
        Setting{"learning_rate", [](auto& c) { c.learningRate = std::numeric_limits<double>::quiet_NaN(); }},
        Setting{"memory_limit_bytes", [](auto& c) { c.memoryLimitBytes = 0; }}));

TEST(ExperimentConfig, EdgesOfTheRangesAreAllowed) {
    ExperimentConfig least{.batchSize = 1, .device = "cpu", .epochs = 1, .steps = 1, .imageSize = 16, .isa = "sse4"};
    ExperimentConfig most{.batchSize = 4096,
                          .device = "cuda:0",
                          .epochs = 10000,
                          .imageSize = 1024,
                          .threads = 512,
                          .isa = "avx3_zen4",
                          .convolution = "direct"};
    EXPECT_THAT(fieldsWithProblems(least), IsEmpty());
    EXPECT_THAT(fieldsWithProblems(most), IsEmpty());
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
