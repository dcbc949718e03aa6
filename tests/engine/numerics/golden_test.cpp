#include "tests/engine/numerics/every_backend.h"
#include "tests/support/golden_file.h"
#include "tests/support/tolerance.h"
#include <tuple>

/// The engine against PyTorch, for float32 and, with emulated roundings, for the mixed policies.
namespace halfstep::support {
namespace {

train::SingleStepOutput stepOf(const Golden& golden, const std::string& convolution) {
    train::SingleStepInput input = stepInput(golden.drawn, golden.policy);
    if (precision::traitsOf(golden.policy).dynamicLossScaling) {
        input.lossScale = golden.lossScale;
    }
    return train::singleStep(makeTestBackend(2, convolution), input);
}

void expectLossAndLogits(const train::SingleStepOutput& step, const Golden& golden) {
    const StepTolerance tolerance = stepTolerance(golden.policy);
    const Array logits{step.logits.shape, {step.logits.values.begin(), step.logits.values.end()}};
    EXPECT_TRUE(step.gradientsFinite);
    EXPECT_NEAR(step.loss, golden.at("loss")[0], tolerance.loss * golden.at("loss")[0]);
    EXPECT_TRUE(isNearInL2(logits, golden.at("logits"), tolerance.logits));
}

/// A golden file and a convolution method.
class EveryGolden : public testing::TestWithParam<std::tuple<std::string, std::string>> {
protected:
    Golden golden = readGolden(std::get<0>(GetParam()));
    train::SingleStepOutput step = stepOf(golden, std::get<1>(GetParam()));
};

std::string paramName(const testing::TestParamInfo<EveryGolden::ParamType>& step) {
    return std::get<0>(step.param) + "_" + std::get<1>(step.param);
}

/// Steps whose pre-activations all lie so far from ReLU's kink that float32 takes the same side as float64.
class Golden_AwayFromTheKink : public EveryGolden {};

TEST_P(Golden_AwayFromTheKink, TheEngineAgreesWithPyTorchInEveryGradient) {
    expectLossAndLogits(step, golden);
    const Arrays gradients = arraysOf(step.gradients, "gradient/");
    EXPECT_EQ(gradients.size(), 14U);
    for (const auto& [name, gradient] : gradients) {
        EXPECT_TRUE(isNearInL2(golden.kept(name, gradient), golden.at("gradient/" + name),
                               stepTolerance(golden.policy).gradients))
            << name;
    }
    for (const auto& [name, value] : arraysOf(step.updated, "updated/")) {
        if (golden.holds("updated/" + name)) {
            EXPECT_TRUE(isNearInL2(golden.kept(name, value), golden.at("updated/" + name), kGoldenUpdated)) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, Golden_AwayFromTheKink,
                         testing::Combine(testing::Values("step_32x32", "step_32x32_mixed_float16",
                                                          "step_32x32_mixed_bfloat16", "step_36x36",
                                                          "step_256x256_clear", "step_256x256_clear_mixed_float16",
                                                          "step_256x256_clear_mixed_bfloat16"),
                                          testing::Values("direct", "fft")),
                         paramName);

/// The article's size with ordinary weights. Of 3.7 million pre-activations some 150 lie within 2e-5 of the kink
/// whatever the seed, and float32 takes the other side of those that lie within its error of about 1e-6; a 16-bit
/// policy, where a rounding before may also fall the other way, of many more. One such element changes the gradients
/// of its layer and of all before it by about 1 / sqrt(elements), 1e-3 of their norm. So what lies behind the last
/// ReLU is held as tightly as at 32x32, the rest looser; the clear case above holds all of it at this size.
class Golden_AtFullSize : public EveryGolden {};

TEST_P(Golden_AtFullSize, TheEngineAgreesWithPyTorchBehindTheLastReluAndNearlyBeforeIt) {
    expectLossAndLogits(step, golden);
    for (const auto& [name, gradient] : arraysOf(step.gradients, "gradient/")) {
        const bool behind = name.starts_with("dense/") || name.starts_with("batch_normalization_2/");
        const double limit = behind ? stepTolerance(golden.policy).gradients : goldenBeforeTheLastRelu(golden.policy);
        EXPECT_TRUE(isNearInL2(golden.kept(name, gradient), golden.at("gradient/" + name), limit)) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, Golden_AtFullSize,
                         testing::Combine(testing::Values("step_256x256", "step_256x256_mixed_float16",
                                                          "step_256x256_mixed_bfloat16"),
                                          testing::Values("direct", "fft")),
                         paramName);

} // namespace
} // namespace halfstep::support
