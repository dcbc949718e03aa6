#include "tests/support/golden_file.h"
#include "tests/support/random_numbers.h"
#include "tests/support/reference_network.h"
#include "tests/support/tolerance.h"
#include <cmath>
#include <gtest/gtest.h>

/// The reference network itself: its gradients against finite differences of its loss. step_test.cpp joins the engine
/// to it, golden_test.cpp joins it to PyTorch.
namespace halfstep::support {
namespace {

double dot(const Array& a, const Array& b) {
    double sum = 0;
    for (std::int64_t i = 0; i < a.count(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Of length 1, so that `step` along it moves a large kernel no farther than a small bias.
Array randomDirection(const Shape& shape, std::uint64_t seed) {
    Array direction = RandomNumbers(seed).array(shape, -1.0, 1.0);
    return scaled(direction, 1.0 / (rms(direction) * std::sqrt(static_cast<double>(direction.count()))));
}

double lossAt(ConvnetCase moved, const std::string& name, const Array& direction, double distance) {
    Array& weight = moved.weights[name];
    for (std::int64_t i = 0; i < weight.count(); ++i) {
        weight[i] += distance * direction[i];
    }
    return referenceLoss(moved);
}

TEST(ReferenceNetwork, GradientsMatchCentralDifferencesOfTheLoss) {
    constexpr double kStep = 1e-6;
    const ConvnetCase drawn = drawConvnetCase(5, 2, 20); // 20, 10, 5, 3 pixels
    const ReferenceStep step = referenceStep(drawn);
    for (const auto& [name, gradient] : step.gradients) {
        for (const std::uint64_t seed : {1, 2}) {
            const Array direction = randomDirection(gradient.shape, seed);
            const double slope =
                (lossAt(drawn, name, direction, kStep) - lossAt(drawn, name, direction, -kStep)) / (2 * kStep);
            // 1e-15 of the loss over the step is 1e-9.
            EXPECT_NEAR(slope, dot(gradient, direction), 1e-8 + 1e-5 * std::abs(slope)) << name;
        }
    }
}

TEST(ReferenceNetwork, GradientsOfSingleWeightsMatchCentralDifferences) {
    constexpr double kStep = 1e-6;
    const ConvnetCase drawn = drawConvnetCase(6, 2, 16);
    const ReferenceStep step = referenceStep(drawn);
    RandomNumbers numbers(1);
    for (const auto& [name, gradient] : step.gradients) {
        const auto index = static_cast<std::int64_t>(numbers.next() % static_cast<std::uint64_t>(gradient.count()));
        Array direction = zeros(gradient.shape);
        direction[index] = 1;
        const double slope =
            (lossAt(drawn, name, direction, kStep) - lossAt(drawn, name, direction, -kStep)) / (2 * kStep);
        EXPECT_NEAR(slope, gradient[index], 1e-8 + 1e-5 * std::abs(slope)) << name << " element " << index;
    }
}

TEST(ReferenceNetwork, TheLossScaleDoesNotChangeExactGradients) {
    const ConvnetCase drawn = drawConvnetCase(5, 2, 16);
    const ReferenceStep plain = referenceStep(drawn);
    const ReferenceStep scaledStep = referenceStep(drawn, {.lossScale = 1024});
    for (const auto& [name, gradient] : plain.gradients) {
        EXPECT_TRUE(isNearInL2(scaledStep.gradients.at(name), gradient, 1e-12)) << name;
    }
}

TEST(ReferenceNetwork, RoundingMovesGradientsByAboutAStepOfTheDType) {
    const ConvnetCase drawn = drawConvnetCase(5, 2, 32);
    const ReferenceStep exact = referenceStep(drawn);
    const ReferenceStep half = referenceStep(drawn, {.computeDType = DType::Float16, .lossScale = 1024});
    const ReferenceStep bfloat = referenceStep(drawn, {.computeDType = DType::BFloat16});
    for (const auto& [name, gradient] : exact.gradients) {
        const double halfError = relativeL2(half.gradients.at(name), gradient);
        const double bfloatError = relativeL2(bfloat.gradients.at(name), gradient);
        EXPECT_GT(halfError, 1e-5) << name;
        EXPECT_LT(halfError, 0.1) << name;
        EXPECT_GT(bfloatError, halfError) << name;
    }
}

class ReferenceNetworkOnGolden : public testing::TestWithParam<std::string> {};

TEST_P(ReferenceNetworkOnGolden, AgreesWithPyTorch) {
    const Golden golden = readGolden(GetParam());
    const ReferenceStep step = referenceStep(golden.drawn, referenceOptionsOf(golden.policy, golden.lossScale));
    EXPECT_NEAR(step.loss, golden.at("loss")[0], 1e-12);
    EXPECT_TRUE(isNearInL2(step.logits, golden.at("logits"), 1e-12));
    for (const auto& [name, gradient] : step.gradients) { // kept as float32
        EXPECT_TRUE(isNearInL2(golden.kept(name, gradient), golden.at("gradient/" + name), 1e-7)) << name;
    }
    for (const auto& [name, value] : step.updated) {
        if (golden.holds("updated/" + name)) {
            EXPECT_TRUE(isNearInL2(golden.kept(name, value), golden.at("updated/" + name), 1e-7)) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Small, ReferenceNetworkOnGolden,
                         testing::Values("step_32x32", "step_32x32_mixed_float16", "step_32x32_mixed_bfloat16",
                                         "step_36x36"),
                         [](const testing::TestParamInfo<std::string>& name) { return name.param; });

} // namespace
} // namespace halfstep::support
