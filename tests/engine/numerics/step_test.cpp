#include "engine/tensor/error.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"
#include "tests/support/optimizer_oracle.h"
#include "tests/support/reference_network.h"
#include "tests/support/rounding.h"
#include "tests/support/tolerance.h"
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <optional>
#include <tuple>

namespace halfstep::support {
namespace {

using precision::Policy;
using train::SingleStepInput;
using train::SingleStepOutput;

void expectNothingChanged(const SingleStepOutput& got, const ConvnetCase& drawn, DType variableDType) {
    EXPECT_FALSE(got.gradientsFinite);
    const Arrays updated = arraysOf(got.updated, "updated/");
    for (const auto& [name, weight] : drawn.weights) {
        EXPECT_TRUE(sameBits(updated.at(name), rounded(variableDType, weight))) << name;
    }
}

/// singleStep with one policy against the reference network with the roundings of that policy.
///
/// Where a sum lies at a midpoint of the 16-bit format, float32 and double may part, and each instruction set in
/// places of its own; where a pre-activation then takes the other side of ReLU, one element of 10,000 is 1 % of a
/// gradient's norm. So every case is held away from the kink by more than such a difference: in float32 by the choice
/// of the seed, in 16 bits by the clear cases.
class WholeStep : public testing::TestWithParam<std::tuple<Policy, std::string>> {
protected:
    Policy policy() const { return std::get<Policy>(GetParam()); }
    std::shared_ptr<backend::Backend> device(int threads) const {
        return makeTestBackend(threads, std::get<std::string>(GetParam()));
    }

    static constexpr double kFloat16LossScale = 1024; // gradients in float16's middle

    DType computeDType() const { return precision::traitsOf(policy()).computeDType; }
    DType variableDType() const { return precision::traitsOf(policy()).variableDType; }

    ConvnetCase drawAwayFromTheKink(std::uint64_t float32Seed, std::int64_t size) const {
        return policy() == Policy::Float32 ? drawConvnetCase(float32Seed, 2, size) : drawClearCase(4, 4, size);
    }

    double lossScale() const { return computeDType() == DType::Float16 ? kFloat16LossScale : 1; }

    SingleStepInput inputOf(const ConvnetCase& drawn) const {
        SingleStepInput input = stepInput(drawn, policy());
        if (lossScale() != 1) {
            input.lossScale = lossScale();
        }
        return input;
    }

    void expectMatchesTheReference(const ConvnetCase& drawn) const {
        const ReferenceStep expected = referenceStep(drawn, referenceOptionsOf(policy(), lossScale()));
        for (const double distance : expected.nearestToKink) {
            ASSERT_GT(distance, policy() == Policy::Float32 ? 1e-5 : 0.05)
                << "take another seed: the engine may take the other side of ReLU";
        }
        const SingleStepOutput got = train::singleStep(device(2), inputOf(drawn));
        const StepTolerance tolerance = stepTolerance(policy());
        EXPECT_TRUE(got.gradientsFinite);
        EXPECT_NEAR(got.loss, expected.loss, tolerance.loss * expected.loss);
        const Array logits{got.logits.shape, {got.logits.values.begin(), got.logits.values.end()}};
        EXPECT_TRUE(isNearInL2(logits, expected.logits, tolerance.logits));

        const Arrays gradients = arraysOf(got.gradients, "gradient/");
        ASSERT_EQ(gradients.size(), expected.gradients.size());
        for (const auto& [name, gradient] : expected.gradients) {
            EXPECT_TRUE(isNearInL2(gradients.at(name), gradient, tolerance.gradients)) << name;
        }
        const Arrays updated = arraysOf(got.updated, "updated/");
        ASSERT_EQ(updated.size(), expected.updated.size());
        for (const auto& [name, value] : expected.updated) {
            if (gradients.contains(name)) { // Adam's first step is nearly a sign: held to the engine's own gradient
                AdamState state{zeros(value.shape), zeros(value.shape),
                                rounded(variableDType(), drawn.weights.at(name))};
                adam(gradients.at(name), {.epsilon = roundTo(variableDType(), 1e-7)}, 1, state);
                EXPECT_TRUE(isNear(updated.at(name), state.w, variableDType(), kElementwise)) << name;
            } else {
                EXPECT_TRUE(isNearInL2(updated.at(name), value, tolerance.logits)) << name;
            }
        }
    }
};

TEST_P(WholeStep, MatchesTheReferenceAt32Pixels) {
    expectMatchesTheReference(drawAwayFromTheKink(15, 32));
}

TEST_P(WholeStep, MatchesTheReferenceAt36PixelsWithOddSizesInside) {
    expectMatchesTheReference(drawAwayFromTheKink(4, 36));
}

TEST_P(WholeStep, MatchesTheReferenceAt20PixelsWhereFiniteDifferencesWereTaken) {
    expectMatchesTheReference(drawAwayFromTheKink(5, 20));
}

TEST_P(WholeStep, IsEqualToTheBitForAnyNumberOfThreads) {
    const SingleStepInput input = inputOf(drawConvnetCase(3, 7, 36));
    std::optional<SingleStepOutput> first;
    for (const int threads : {1, 2, 3, 5}) {
        const SingleStepOutput step = train::singleStep(device(threads), input);
        if (!first) {
            first = step;
            continue;
        }
        EXPECT_EQ(step.loss, first->loss) << threads;
        EXPECT_EQ(step.logits.values, first->logits.values) << threads;
        const auto expectEqual = [threads](const std::vector<train::NamedArray>& got,
                                           const std::vector<train::NamedArray>& expected) {
            ASSERT_EQ(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                EXPECT_EQ(got[i].name, expected[i].name);
                EXPECT_EQ(got[i].values, expected[i].values) << got[i].name << ", " << threads << " threads";
            }
        };
        expectEqual(step.gradients, first->gradients);
        expectEqual(step.updated, first->updated);
    }
}

TEST_P(WholeStep, ABatchThatIsNotFiniteChangesNothing) {
    ConvnetCase drawn = drawConvnetCase(3, 2, 20);
    drawn.images[100] = std::numeric_limits<double>::infinity();
    expectNothingChanged(train::singleStep(makeTestBackend(2), inputOf(drawn)), drawn, variableDType());
}

INSTANTIATE_TEST_SUITE_P(Cpu, WholeStep,
                         testing::Combine(testing::ValuesIn(precision::kPolicies), testing::Values("direct", "fft")),
                         [](const testing::TestParamInfo<WholeStep::ParamType>& step) {
                             return std::string(precision::traitsOf(std::get<Policy>(step.param)).name) + "_" +
                                    std::get<std::string>(step.param);
                         });

TEST(SingleStep, GradientsThatOverflowFloat16ChangeNothing) {
    const ConvnetCase drawn = drawConvnetCase(3, 2, 20);
    SingleStepInput input = stepInput(drawn, Policy::MixedFloat16);
    input.lossScale = 0x1p24;
    const SingleStepOutput got = train::singleStep(makeTestBackend(2), input);
    EXPECT_TRUE(std::isfinite(got.loss)); // only the gradients are scaled
    expectNothingChanged(got, drawn, DType::Float32);
}

TEST(SingleStep, APowerOfTwoAsLossScaleChangesNoBitInFloat32) {
    SingleStepInput input = stepInput(drawConvnetCase(3, 2, 20), Policy::Float32);
    const SingleStepOutput plain = train::singleStep(makeTestBackend(1), input);
    input.lossScale = 4096;
    const SingleStepOutput scaledStep = train::singleStep(makeTestBackend(1), input);
    for (std::size_t i = 0; i < plain.gradients.size(); ++i) {
        EXPECT_EQ(scaledStep.gradients[i].values, plain.gradients[i].values) << plain.gradients[i].name;
    }
}

TEST(SingleStep, MixedFloat16StartsWithTheScaleOfItsPolicy) {
    SingleStepInput input = stepInput(drawConvnetCase(3, 4, 20), Policy::MixedFloat16);
    const SingleStepOutput byDefault = train::singleStep(makeTestBackend(1), input);
    input.lossScale = 32768;
    const SingleStepOutput given = train::singleStep(makeTestBackend(1), input);
    EXPECT_EQ(byDefault.gradientsFinite, given.gradientsFinite);
    EXPECT_EQ(byDefault.gradients.front().values, given.gradients.front().values);
}

TEST(SingleStep, NamesTheArrayThatIsMissingUnknownOrOfAWrongShape) {
    const auto backend = makeTestBackend(1);
    const SingleStepInput good = stepInput(drawConvnetCase(3, 2, 16), Policy::Float32);
    const auto messageOf = [&](const SingleStepInput& input) -> std::string {
        try {
            train::singleStep(backend, input);
        } catch (const DataError& error) {
            return error.what();
        }
        return "no DataError";
    };

    SingleStepInput missing = good;
    const std::string removed = missing.weights.back().name;
    missing.weights.pop_back();
    EXPECT_THAT(messageOf(missing), testing::HasSubstr(removed));

    SingleStepInput unknown = good;
    unknown.weights.push_back({"conv2d_9/kernel", {1}, {0}});
    EXPECT_THAT(messageOf(unknown), testing::HasSubstr("conv2d_9/kernel"));

    SingleStepInput wrongShape = good;
    wrongShape.weights.front().shape = {1};
    wrongShape.weights.front().values = {0};
    EXPECT_THAT(messageOf(wrongShape), testing::HasSubstr(wrongShape.weights.front().name));

    SingleStepInput tooFewValues = good;
    tooFewValues.weights.front().values.pop_back();
    EXPECT_THAT(messageOf(tooFewValues), testing::HasSubstr(tooFewValues.weights.front().name));

    SingleStepInput tooFewPixels = good;
    tooFewPixels.images.values.pop_back();
    EXPECT_THAT(messageOf(tooFewPixels), testing::HasSubstr("images"));

    SingleStepInput wrongLabel = good;
    wrongLabel.labels.back() = 10;
    EXPECT_THAT(messageOf(wrongLabel), testing::HasSubstr("label"));

    SingleStepInput tooFewLabels = good;
    tooFewLabels.labels.pop_back();
    EXPECT_THAT(messageOf(tooFewLabels), testing::HasSubstr("label"));

    SingleStepInput grayImages = good;
    grayImages.images.shape = {2, 16, 48, 1};
    EXPECT_THAT(messageOf(grayImages), testing::HasSubstr("images"));
}

} // namespace
} // namespace halfstep::support
