// Subnormals: nothing may flush them to zero, in no verb and on no thread. oneDNN, OpenMP and a library that is
// loaded later could all switch them off.
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/convnet_case.h"
#include "tests/support/device_arrays.h"
#include "tests/support/flush_to_zero.h"
#include "tests/support/rounding.h"
#include <cmath>

namespace halfstep::support {
namespace {

/// Of float32: 71362 times the smallest.
const double kSubnormal = static_cast<double>(1e-40F);

/// Large enough that elements are shared out to all threads of a team many times.
constexpr std::int64_t kMany = 2'000'000;

class Subnormals : public testing::TestWithParam<std::string> {
protected:
    /// Runs `body` on back ends of 1, 2, 3 and 5 threads, each of which has made a whole training step before.
    template <class Body>
    void afterAStep(const Body& body) const {
        for (const int threads : {1, 2, 3, 5}) {
            SCOPED_TRACE(std::to_string(threads) + " threads");
            const auto device = makeTestBackend(threads, GetParam());
            train::singleStep(device, stepInput(drawConvnetCase(3, 4, 20), precision::Policy::MixedFloat16));
            body(*device);
        }
    }
    static tensor::Tensor f32(backend::Backend& device, const Array& array) {
        return onDevice(device, DType::Float32, array);
    }
    /// How many elements are farther from `expected` than `share` of it; their number, since two million messages
    /// help nobody.
    static std::int64_t others(backend::Backend& device, const tensor::Tensor& tensor, double expected,
                               double share = 0) {
        std::int64_t count = 0;
        for (const double value : fromDevice(device, tensor).values) {
            count += std::abs(value - expected) <= share * expected ? 0 : 1;
        }
        return count;
    }
};

TEST(FlushToZero, SwitchesSubnormalsOffUntilItsEnd) {
    if (!FlushToZero::isKnown()) {
        GTEST_SKIP() << "this processor's switches for subnormals are not known";
    }
    volatile float value = 1e-40F;
    volatile float one = 1;
    {
        const FlushToZero flush;
        EXPECT_TRUE(FlushToZero::isOn());
        volatile float product = value * one;
        EXPECT_TRUE(product == 0);
    }
    volatile float product = value * one;
    EXPECT_TRUE(product == value && product > 0);
}

TEST_P(Subnormals, AStepLeavesTheCallersThreadAsItWas) {
    EXPECT_FALSE(FlushToZero::isOn()) << "before";
    afterAStep([](backend::Backend&) { EXPECT_FALSE(FlushToZero::isOn()); });
}

TEST_P(Subnormals, AreKeptOnEveryThreadAfterAStep) {
    const double half = roundTo(DType::Float32, kSubnormal / 2);
    afterAStep([&](backend::Backend& device) {
        const tensor::Tensor x = f32(device, filled({kMany}, kSubnormal));
        const tensor::Tensor y = device.allocate(DType::Float32, {kMany});
        EXPECT_TRUE(device.unscale(x, 2.0F, y)); // operand and result are subnormal
        EXPECT_EQ(others(device, y, half), 0);
        EXPECT_TRUE(device.unscale(f32(device, filled({kMany}, 0x1p-126)), 4.0F, y)); // only the result is
        EXPECT_EQ(others(device, y, 0x1p-128), 0);
        EXPECT_TRUE(device.unscale(x, 0x1p-60F, y)); // only the operand is
        EXPECT_EQ(others(device, y, std::ldexp(kSubnormal, 60)), 0);
    });
}

TEST_P(Subnormals, AreKeptByConvolutions) {
    // Kernels of one tap that copy their channel; 16 channels, so that an FFT may be taken, which rounds on its way.
    const double share = GetParam() == "fft" ? 1e-3 : 0;
    afterAStep([share](backend::Backend& device) {
        const Shape image{8, 16, 16, 16};
        Array identity = zeros({1, 1, 16, 16});
        for (std::int64_t c = 0; c < 16; ++c) {
            identity[c * 17] = 1;
        }
        const tensor::Tensor x = f32(device, filled(image, kSubnormal)), w = f32(device, identity);
        const tensor::Tensor y = device.allocate(DType::Float32, image);
        device.conv2dBiasRelu(x, w, f32(device, zeros({16})), {1}, y);
        EXPECT_EQ(others(device, y, kSubnormal, share), 0);
        const tensor::Tensor dx = device.allocate(DType::Float32, image);
        device.conv2dBackwardData(w, x, {1}, dx);
        EXPECT_EQ(others(device, dx, kSubnormal, share), 0);
        const tensor::Tensor dw = device.allocate(DType::Float32, {1, 1, 16, 16});
        device.conv2dBackwardWeights(f32(device, filled(image, 1.0)), x, {1}, dw);
        EXPECT_EQ(others(device, dw, kSubnormal * 8 * 16 * 16, share), 0);
        const tensor::Tensor db = device.allocate(DType::Float32, {16});
        device.biasReluBackward(f32(device, filled(image, kSubnormal)), x, db);
        EXPECT_EQ(others(device, x, kSubnormal), 0) << "an output above 0, however small";
        EXPECT_EQ(others(device, db, kSubnormal * 8 * 16 * 16), 0);
    });
}

TEST_P(Subnormals, AreKeptByBatchNormalization) {
    afterAStep([](backend::Backend& device) {
        const Shape image{8, 16, 16, 19};
        const auto channels = [&](double value) { return f32(device, filled({19}, value)); };
        const tensor::Tensor x = f32(device, filled(image, kSubnormal));
        const tensor::Tensor y = device.allocate(DType::Float32, image);
        const tensor::Tensor mean = channels(0), variance = channels(0);
        device.batchNormTrain(x, channels(1), channels(kSubnormal), 1.0F, mean, variance, y);
        EXPECT_EQ(others(device, mean, kSubnormal), 0);
        EXPECT_EQ(others(device, y, kSubnormal), 0);
        device.batchNormInference(x, channels(1), channels(0), 1.0F, channels(0), channels(0), y);
        EXPECT_EQ(others(device, y, kSubnormal), 0);
        const tensor::Tensor dgamma = channels(0), dbeta = channels(0);
        device.batchNormBackward(f32(device, filled(image, 1.0)), x, channels(1), 1.0F, channels(0), channels(0), y,
                                 dgamma, dbeta);
        EXPECT_EQ(others(device, dbeta, kSubnormal * 8 * 16 * 16), 0);
        EXPECT_EQ(others(device, dgamma, kSubnormal * 8 * 16 * 16), 0);
        const tensor::Tensor moving = channels(kSubnormal);
        device.movingAverage(channels(kSubnormal), 0.5F, moving);
        EXPECT_EQ(others(device, moving, kSubnormal), 0);
    });
}

TEST_P(Subnormals, AreKeptByPoolingAndDenseLayers) {
    afterAStep([](backend::Backend& device) {
        const Shape image{8, 4, 4, 19};
        const tensor::Tensor pooled = device.allocate(DType::Float32, {8, 19});
        device.globalAveragePool(f32(device, filled(image, kSubnormal)), pooled);
        EXPECT_EQ(others(device, pooled, kSubnormal), 0);
        const tensor::Tensor dx = device.allocate(DType::Float32, image);
        device.globalAveragePoolBackward(f32(device, filled({8, 19}, 16 * kSubnormal)), dx);
        EXPECT_EQ(others(device, dx, kSubnormal), 0);

        const tensor::Tensor w = f32(device, filled({19, 10}, 1.0)), y = device.allocate(DType::Float32, {8, 10});
        device.dense(pooled, w, f32(device, filled({10}, kSubnormal)), y);
        EXPECT_EQ(others(device, y, 20 * kSubnormal), 0);
        const tensor::Tensor dw = device.allocate(DType::Float32, {19, 10}),
                             db = device.allocate(DType::Float32, {10});
        device.denseBackward(f32(device, filled({8, 19}, 1.0)), w, f32(device, filled({8, 10}, kSubnormal)), pooled,
                             dw, db);
        EXPECT_EQ(others(device, pooled, 10 * kSubnormal), 0);
        EXPECT_EQ(others(device, dw, 8 * kSubnormal), 0);
        EXPECT_EQ(others(device, db, 8 * kSubnormal), 0);
    });
}

TEST_P(Subnormals, AreKeptByOptimizers) {
    afterAStep([](backend::Backend& device) {
        const auto all = [&](double value) { return f32(device, filled({kMany}, value)); };
        const tensor::Tensor w = all(3 * kSubnormal);
        EXPECT_EQ(device.sgd(all(kSubnormal), 1.0, w), (backend::UpdateCounts{.wanted = kMany, .lost = 0}));
        EXPECT_EQ(others(device, w, 2 * kSubnormal), 0);
        const tensor::Tensor m = all(0), v = all(0), moved = all(0);
        device.adam(all(kSubnormal), {.learningRate = 1, .beta1 = 0.5, .epsilon = 1}, 1, m, v, moved);
        EXPECT_EQ(others(device, m, kSubnormal / 2), 0);
        EXPECT_GT(others(device, moved, 0.0), 0) << "a subnormal moment moves the weight";
    });
}

INSTANTIATE_TEST_SUITE_P(Cpu, Subnormals, testing::Values("direct", "fft"),
                         [](const testing::TestParamInfo<std::string>& method) { return method.param; });

} // namespace
} // namespace halfstep::support
