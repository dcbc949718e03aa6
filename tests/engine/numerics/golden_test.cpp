#include "tests/engine/numerics/every_backend.h"
#include "tests/support/golden_file.h"
#include "tests/support/tolerance.h"
#include <tuple>

namespace halfstep::support {
namespace {

train::SingleStepOutput stepOf(const Golden& golden, const std::string& convolution) {
    return train::singleStep(makeTestBackend(2, convolution), stepInput(golden.drawn, precision::Policy::Float32));
}

Array logitsOf(const train::SingleStepOutput& step) {
    return {step.logits.shape, {step.logits.values.begin(), step.logits.values.end()}};
}

class SmallGolden : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(SmallGolden, TheEngineAgreesWithPyTorch) {
    const auto& [file, convolution] = GetParam();
    const Golden golden = readGolden(file);
    const train::SingleStepOutput step = stepOf(golden, convolution);
    EXPECT_NEAR(step.loss, golden.at("loss")[0], kGoldenSmall * golden.at("loss")[0]);
    EXPECT_TRUE(isNearInL2(logitsOf(step), golden.at("logits"), kGoldenSmall));
    for (const auto& [name, gradient] : arraysOf(step.gradients, "gradient/")) {
        EXPECT_TRUE(isNearInL2(golden.kept(name, gradient), golden.at("gradient/" + name), kGoldenSmall)) << name;
    }
    for (const auto& [name, value] : arraysOf(step.updated, "updated/")) {
        EXPECT_TRUE(isNearInL2(golden.kept(name, value), golden.at("updated/" + name), kGoldenUpdated)) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, SmallGolden,
                         testing::Combine(testing::Values("step_32x32", "step_36x36"),
                                          testing::Values("direct", "fft")),
                         [](const testing::TestParamInfo<SmallGolden::ParamType>& step) {
                             return std::get<0>(step.param) + "_" + std::get<1>(step.param);
                         });

class LargeGolden : public testing::TestWithParam<std::string> {};

TEST_P(LargeGolden, TheEngineAgreesWithPyTorchAt256Pixels) {
    const Golden golden = readGolden("step_256x256");
    const train::SingleStepOutput step = stepOf(golden, GetParam());
    EXPECT_NEAR(step.loss, golden.at("loss")[0], kGoldenLargeLoss * golden.at("loss")[0]);
    EXPECT_TRUE(isNearInL2(logitsOf(step), golden.at("logits"), kGoldenLargeLoss));
    for (const auto& [name, gradient] : arraysOf(step.gradients, "gradient/")) {
        const bool last =
            name.starts_with("dense/") || name.starts_with("batch_normalization_2/") || name == "conv2d_2/bias";
        EXPECT_TRUE(isNearInL2(golden.kept(name, gradient), golden.at("gradient/" + name),
                               last ? kGoldenLargeLastLayers : kGoldenLargeEarlierLayers))
            << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, LargeGolden, testing::Values("direct", "fft"),
                         [](const testing::TestParamInfo<std::string>& step) { return step.param; });

} // namespace
} // namespace halfstep::support
