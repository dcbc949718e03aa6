// Optimizers and moving averages on variables of every dtype, and what rounding takes away.
#include "engine/optim/optimizer.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"
#include "tests/support/optimizer_oracle.h"
#include "tests/support/random_numbers.h"
#include "tests/support/rounding.h"
#include "tests/support/tolerance.h"
#include <cmath>

namespace halfstep::support {
namespace {

class NarrowVariables : public EveryBackend {
protected:
    tensor::Tensor variable(backend::Backend& device, const Array& values) const {
        return onDevice(device, dtype(), values);
    }
    /// A moving average, which optimizers must leave alone, and a trainable variable "w".
    std::deque<nn::Variable> oneTrainable(backend::Backend& device, const Array& value, const Array& gradient) const {
        std::deque<nn::Variable> variables(2);
        variables[0].trainable = false;
        variables[1].name = "w";
        variables[1].value = variable(device, value);
        variables[1].unscaledGradient = variable(device, gradient);
        return variables;
    }
    Array counted(const backend::UpdateCounts& counts) const {
        return {{2}, {static_cast<double>(counts.wanted), static_cast<double>(counts.lost)}};
    }
};

TEST_P(NarrowVariables, AdamRoundsStateAndWeightOnceFromFloat32) {
    for (const std::int64_t count : {1, 7, 32, 67}) {
        const Array start = drawn({count}, -1.0, 1.0, 1), gradient = drawn({count}, -0.5, 0.5, 2);
        const Array m0 = drawn({count}, -0.5, 0.5, 3), v0 = drawn({count}, 0.0, 0.25, 4);
        const auto got = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor w = variable(device, start), m = variable(device, m0), v = variable(device, v0);
            const auto counts = device.adam(variable(device, gradient), {}, 5, m, v, w);
            return std::vector{fromDevice(device, w), fromDevice(device, m), fromDevice(device, v), counted(counts)};
        });
        AdamState exact{m0, v0, start};
        adam(gradient, {}, 5, exact);
        EXPECT_TRUE(isNear(got[0], exact.w, dtype(), kElementwise)) << count;
        EXPECT_TRUE(isNear(got[1], exact.m, dtype(), kElementwise)) << count;
        EXPECT_TRUE(isNear(got[2], exact.v, dtype(), kElementwise)) << count;
        double lost = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            lost += got[0][i] == start[i] ? 1 : 0;
        }
        EXPECT_EQ(got[3][0], static_cast<double>(count));
        EXPECT_EQ(got[3][1], lost);
    }
}

TEST_P(NarrowVariables, SgdRoundsTheWeightOnce) {
    for (const std::int64_t count : {1, 7, 32, 67, 100352}) {
        const Array start = drawn({count}, -1.0, 1.0, 1), gradient = drawn({count}, -0.5, 0.5, 2);
        const auto got = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor w = variable(device, start);
            const auto counts = device.sgd(variable(device, gradient), 0.01, w);
            return std::vector{fromDevice(device, w), counted(counts)};
        });
        Array exact = start;
        for (std::int64_t i = 0; i < count; ++i) {
            exact[i] -= static_cast<double>(0.01F) * gradient[i];
        }
        EXPECT_TRUE(isNear(got[0], exact, dtype(), kElementwise)) << count;
    }
}

TEST_P(NarrowVariables, AnUpdateOf0IsNeitherWantedNorLost) {
    const tensor::Tensor w = variable(device(), filled({67}, 1.0));
    EXPECT_EQ(device().sgd(variable(device(), zeros({67})), 0.5, w), backend::UpdateCounts());
    const tensor::Tensor m = variable(device(), zeros({67})), v = variable(device(), zeros({67}));
    EXPECT_EQ(device().adam(variable(device(), zeros({67})), {.epsilon = 0}, 1, m, v, w), backend::UpdateCounts());
    EXPECT_TRUE(sameBits(fromDevice(device(), w), filled({67}, 1.0))); // not 0 / 0
}

TEST_P(NarrowVariables, UpdatesBelowHalfAUnitAreCountedAsLost) {
    const tensor::Tensor w = variable(device(), filled({67}, 1.0));
    const tensor::Tensor g = variable(device(), filled({67}, 0x1p-12));
    const backend::UpdateCounts counts = device().sgd(g, 1.0, w);
    EXPECT_EQ(counts.wanted, 67);
    // Half a unit below 1 is 2^-12 in float16 (a tie, to even) and 2^-9 in bfloat16.
    EXPECT_EQ(counts.lost, dtype() == DType::Float32 ? 0 : 67);
}

TEST_P(NarrowVariables, MovingAveragesAreRoundedOnce) {
    const Array batch = RandomNumbers(1).array({67}, -1.0, 1.0), start = drawn({67}, -1.0, 1.0, 2);
    const auto got = onEveryTeam([&](backend::Backend& device) {
        const tensor::Tensor moving = variable(device, start);
        device.movingAverage(onDevice(device, DType::Float32, batch), 0.99F, moving);
        return std::vector{fromDevice(device, moving)};
    });
    Array exact = start;
    for (std::int64_t i = 0; i < exact.count(); ++i) {
        exact[i] = start[i] * static_cast<double>(0.99F) + batch[i] * static_cast<double>(1.0F - 0.99F);
    }
    EXPECT_TRUE(isNear(got[0], exact, dtype(), kElementwise));
}

TEST_P(NarrowVariables, UnscaleRoundsToTheVariablesDType) {
    const Array gradient = drawn({2051}, -100.0, 100.0, 1);
    const auto got = onEveryTeam([&](backend::Backend& device) {
        const tensor::Tensor to = device.allocate(dtype(), gradient.shape);
        const bool finite = device.unscale(variable(device, gradient), 3.0F, to);
        return std::vector{fromDevice(device, to), filled({1}, finite ? 1.0 : 0.0)};
    });
    EXPECT_TRUE(isNear(got[0], scaled(gradient, 1.0 / 3.0), dtype(), kElementwise));
    EXPECT_EQ(got[1][0], 1.0);
    Array bad = gradient;
    bad[2050] = HUGE_VAL;
    const tensor::Tensor to = device().allocate(dtype(), gradient.shape);
    EXPECT_FALSE(device().unscale(variable(device(), bad), 1.0F, to));
}

TEST_P(NarrowVariables, AdamHoldsEpsilonInTheVariablesDType) {
    // One weight with m = 1 and v = 0 after the step (gradient 0): the update is alpha m / epsilon.
    const std::shared_ptr<backend::Backend> shared = makeTestBackend(1);
    const std::deque<nn::Variable> variables = oneTrainable(*shared, filled({1}, 0.0), zeros({1}));
    const auto optimizer = optim::makeAdam(shared, variables, {.epsilon = 1e-7});
    ASSERT_EQ(optimizer->state().size(), 2U);
    EXPECT_EQ(optimizer->state()[0].name, "adam_m/w");
    EXPECT_EQ(optimizer->state()[1].name, "adam_v/w");
    const std::vector<float> one{0x1p-10F};
    shared->upload(one, optimizer->state()[0].tensor);
    optimizer->apply();
    EXPECT_EQ(optimizer->iterations(), 1);
    const double epsilon = roundTo(dtype(), static_cast<double>(1e-7F));
    const double moved = -1e-3 * std::sqrt(0.001) / 0.1 * 0x1p-10 * 0.9 / epsilon;
    EXPECT_TRUE(isNear(fromDevice(*shared, variables[1].value), {{1}, {moved}}, dtype(), 1e-5));
    optimizer->restoreIterations(41);
    optimizer->apply();
    EXPECT_EQ(optimizer->iterations(), 42);
}

TEST_P(NarrowVariables, SgdKeepsNoStateAndLeavesMovingAveragesAlone) {
    const std::shared_ptr<backend::Backend> shared = makeTestBackend(1);
    const std::deque<nn::Variable> variables = oneTrainable(*shared, filled({3}, 1.0), filled({3}, 0.5));
    const auto optimizer = optim::makeSgd(shared, variables, 0.5);
    EXPECT_EQ(optimizer->apply(), (backend::UpdateCounts{.wanted = 3, .lost = 0}));
    EXPECT_TRUE(optimizer->state().empty());
    EXPECT_TRUE(sameBits(fromDevice(*shared, variables[1].value), filled({3}, 0.75)));
}

INSTANTIATE_TEST_SUITE_P(Cpu, NarrowVariables, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
