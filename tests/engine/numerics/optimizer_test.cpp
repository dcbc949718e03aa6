#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"
#include "tests/support/optimizer_oracle.h"
#include "tests/support/random_numbers.h"
#include "tests/support/rounding.h"
#include "tests/support/tolerance.h"
#include <cmath>
#include <limits>

namespace halfstep::support {
namespace {

class Optimizer : public EveryBackend {
protected:
    struct Unscaled {
        bool finite;
        Array values;
    };

    Unscaled unscale(const Array& gradient, float lossScale) const {
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor to = device.allocate(DType::Float32, gradient.shape);
            const bool finite = device.unscale(onDevice(device, dtype(), gradient), lossScale, to);
            return std::vector{Array{{1}, {finite ? 1.0 : 0.0}}, fromDevice(device, to)};
        });
        return {result[0][0] == 1.0, result[1]};
    }

    /// Steps from 1 to the number of gradients, on every team; w, m, v at the end.
    std::vector<Array> adamOnEveryTeam(const std::vector<Array>& gradients, const Array& start) const {
        return onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor w = onDevice(device, DType::Float32, start);
            const tensor::Tensor m = device.allocate(DType::Float32, start.shape);
            const tensor::Tensor v = device.allocate(DType::Float32, start.shape);
            for (std::size_t i = 0; i < gradients.size(); ++i) {
                device.adam(onDevice(device, DType::Float32, gradients[i]), {}, static_cast<std::int64_t>(i) + 1, m,
                            v, w);
            }
            return std::vector{fromDevice(device, w), fromDevice(device, m), fromDevice(device, v)};
        });
    }
};

TEST_P(Optimizer, UnscaleDividesByThePowerOfTwoExactly) {
    for (const std::int64_t count : {1, 3, 16, 67, 1000, 100352}) {
        const Array gradient = drawn({count}, -1000.0, 1000.0, 1);
        const Unscaled got = unscale(gradient, 32768.0F);
        EXPECT_TRUE(got.finite) << count;
        EXPECT_TRUE(sameBits(got.values, scaled(gradient, 1.0 / 32768.0))) << count;
    }
}

TEST_P(Optimizer, UnscaleByAnyOtherScaleIsRightToARounding) {
    const Array gradient = drawn({1003}, -1000.0, 1000.0, 1);
    EXPECT_TRUE(isNear(unscale(gradient, 3.0F).values, scaled(gradient, 1.0 / 3.0), DType::Float32, kElementwise));
}

TEST_P(Optimizer, UnscaleSeesOneInfiniteOrNanElementAnywhere) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        for (const std::int64_t count : {1, 5, 8, 16, 33, 67}) {
            for (std::int64_t position = 0; position < count; ++position) {
                Array gradient = filled({count}, 1.0);
                gradient[position] = bad;
                const tensor::Tensor onCpu = onDevice(device(), dtype(), gradient);
                const tensor::Tensor to = device().allocate(DType::Float32, gradient.shape);
                EXPECT_FALSE(device().unscale(onCpu, 1024, to)) << bad << " at " << position << " of " << count;
            }
        }
        for (const std::int64_t position : {0, 50000, 100351}) {
            Array gradient = filled({100352}, 1.0);
            gradient[position] = bad;
            EXPECT_FALSE(unscale(gradient, 1024).finite) << bad << " at " << position;
        }
    }
}

TEST_P(Optimizer, UnscaleTakesTheLargestFiniteValueForFinite) {
    EXPECT_TRUE(unscale(filled({67}, largestOf(dtype())), 1).finite);
    EXPECT_TRUE(unscale(filled({67}, -largestOf(dtype())), 1).finite);
    EXPECT_TRUE(unscale(filled({67}, smallestOf(dtype())), 1).finite);
}

TEST_P(Optimizer, UnscaleWorksInPlaceInFloat32) {
    const Array gradient = RandomNumbers(1).array({1003}, -10.0, 10.0);
    const tensor::Tensor onCpu = onDevice(device(), DType::Float32, gradient);
    EXPECT_TRUE(device().unscale(onCpu, 8, onCpu));
    EXPECT_TRUE(sameBits(fromDevice(device(), onCpu), scaled(gradient, 0.125)));
}

TEST_P(Optimizer, AdamFollowsKerasOverManyIterations) {
    for (const std::int64_t count : {1, 7, 32, 67, 100352}) {
        RandomNumbers numbers(static_cast<std::uint64_t>(count));
        const Array start = numbers.array({count}, -0.1, 0.1);
        std::vector<Array> gradients;
        AdamState exact{zeros({count}), zeros({count}), start};
        for (std::int64_t iteration = 1; iteration <= 10; ++iteration) {
            gradients.push_back(numbers.array({count}, -0.01, 0.01));
            adam(gradients.back(), {}, iteration, exact);
        }
        const std::vector<Array> got = adamOnEveryTeam(gradients, start);
        EXPECT_TRUE(isNear(got[0], exact.w, DType::Float32, kElementwise)) << count;
        EXPECT_TRUE(isNear(got[1], exact.m, DType::Float32, kElementwise)) << count;
        EXPECT_TRUE(isNear(got[2], exact.v, DType::Float32, kElementwise)) << count;
    }
}

TEST_P(Optimizer, AdamCorrectsTheBiasOfLateIterationsToo) {
    const Array gradient = filled({8}, 1e-3);
    for (const std::int64_t iteration : {1, 2, 100, 5000, 1000000}) {
        AdamState exact{zeros({8}), zeros({8}), filled({8}, 1.0)};
        adam(gradient, {}, iteration, exact);
        const tensor::Tensor w = onDevice(device(), DType::Float32, filled({8}, 1.0));
        const tensor::Tensor m = device().allocate(DType::Float32, {8});
        const tensor::Tensor v = device().allocate(DType::Float32, {8});
        device().adam(onDevice(device(), DType::Float32, gradient), {}, iteration, m, v, w);
        const Array moved = fromDevice(device(), w);
        EXPECT_NEAR(1.0 - moved[0], 1.0 - exact.w[0], 1.2e-7) << iteration;
    }
}

TEST_P(Optimizer, AdamMovesNothingOnAZeroGradient) {
    const Array start = RandomNumbers(1).array({67}, -1.0, 1.0);
    const std::vector<Array> got = adamOnEveryTeam({zeros({67}), zeros({67}), zeros({67})}, start);
    EXPECT_TRUE(sameBits(got[0], start));
}

TEST_P(Optimizer, AdamOfAConstantGradientMovesByTheKnownAmounts) {
    // Keras: 1e-3 three times, from 1.0.
    const Array g = filled({1}, 1e-3);
    EXPECT_NEAR(adamOnEveryTeam({g}, filled({1}, 1.0))[0][0], 0.9990031523091832, 6e-8);
    EXPECT_NEAR(adamOnEveryTeam({g, g}, filled({1}, 1.0))[0][0], 0.99800538394505, 1.2e-7);
    EXPECT_NEAR(adamOnEveryTeam({g, g, g}, filled({1}, 1.0))[0][0], 0.9970072072695747, 1.8e-7);
}

INSTANTIATE_TEST_SUITE_P(Cpu, Optimizer, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
