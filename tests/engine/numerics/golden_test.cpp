#include "tests/engine/numerics/every_backend.h"
#include "tests/support/golden_file.h"
#include "tests/support/tolerance.h"

namespace halfstep::support {
namespace {

train::SingleStepOutput stepOf(const Golden& golden) {
    return train::singleStep(makeTestBackend(2), stepInput(golden.drawn, precision::Policy::Float32));
}

Array logitsOf(const train::SingleStepOutput& step) {
    return {step.logits.shape, {step.logits.values.begin(), step.logits.values.end()}};
}

class SmallGolden : public testing::TestWithParam<std::string> {};

TEST_P(SmallGolden, TheEngineAgreesWithPyTorch) {
    const Golden golden = readGolden(GetParam());
    const train::SingleStepOutput step = stepOf(golden);
    EXPECT_NEAR(step.loss, golden.at("loss")[0], kGoldenSmall * golden.at("loss")[0]);
    EXPECT_TRUE(isNearInL2(logitsOf(step), golden.at("logits"), kGoldenSmall));
    for (const auto& [name, gradient] : arraysOf(step.gradients, "gradient/")) {
        EXPECT_TRUE(isNearInL2(golden.kept(name, gradient), golden.at("gradient/" + name), kGoldenSmall)) << name;
    }
    for (const auto& [name, value] : arraysOf(step.updated, "updated/")) {
        EXPECT_TRUE(isNearInL2(golden.kept(name, value), golden.at("updated/" + name), kGoldenUpdated)) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, SmallGolden, testing::Values("step_32x32", "step_36x36"),
                         [](const testing::TestParamInfo<std::string>& name) { return name.param; });

TEST(LargeGolden, TheEngineAgreesWithPyTorchAt256Pixels) {
    const Golden golden = readGolden("step_256x256");
    const train::SingleStepOutput step = stepOf(golden);
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

} // namespace
} // namespace halfstep::support
