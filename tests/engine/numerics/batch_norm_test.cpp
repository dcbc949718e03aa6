// Batch normalization alone, with ReLU and with the pooling behind it (batch_norm_kernels, cpu_pooling.cpp), in every
// storage type against the double reference.
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/device_arrays.h"
#include "tests/support/layer_oracle.h"
#include "tests/support/optimizer_oracle.h"
#include "tests/support/random_numbers.h"
#include "tests/support/rounding.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <cmath>

namespace halfstep::support {
namespace {

constexpr float kEpsilon = 0.001F;
constexpr double kExactEpsilon = kEpsilon;

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> list{{1, 1, 1, 1},    {1, 2, 2, 3},    {2, 5, 3, 8},     {7, 13, 10, 10},
                                         {2, 16, 16, 32}, {3, 37, 36, 33}, {1, 100, 100, 1}, {2, 4, 4, 128}};
    return list;
}

class BatchNorm : public EveryBackend {
protected:
    struct Trained {
        Array mean, variance, y;
    };

    Trained train(const Array& x, const Array& gamma, const Array& beta) const {
        const Shape channels{x.shape[3]};
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor mean = device.allocate(DType::Float32, channels);
            const tensor::Tensor variance = device.allocate(DType::Float32, channels);
            const tensor::Tensor y = device.allocate(dtype(), x.shape);
            device.batchNormTrain(onDevice(device, dtype(), x), onDevice(device, DType::Float32, gamma),
                                  onDevice(device, DType::Float32, beta), kEpsilon, mean, variance, y);
            return std::vector{fromDevice(device, mean), fromDevice(device, variance), fromDevice(device, y)};
        });
        return {result[0], result[1], result[2]};
    }

    /// One channel of `count` pixels that alternate between two values.
    Trained trainAlternating(double a, double b, std::int64_t count, double gamma, double beta) const {
        Array x = zeros({1, 1, count, 1});
        for (std::int64_t i = 0; i < count; ++i) {
            x[i] = i % 2 == 0 ? a : b;
        }
        return train(x, filled({1}, gamma), filled({1}, beta));
    }
};

TEST_P(BatchNorm, TrainMatchesTheDoubleReference) {
    for (const Shape& shape : shapes()) {
        const Array x = drawn(shape, -1.0, 2.0, 1);
        const Array gamma = RandomNumbers(2).array({shape[3]}, 0.5, 1.5);
        const Array beta = RandomNumbers(3).array({shape[3]}, -0.5, 0.5);
        const Moments exact = batchMoments(x);
        const Trained got = train(x, gamma, beta);
        EXPECT_TRUE(isNear(got.mean, exact.mean, DType::Float32, sumTolerance(shape.count() / shape[3])))
            << shape.text();
        EXPECT_TRUE(isNear(got.variance, exact.variance, DType::Float32, 10 * kElementwise)) << shape.text();
        EXPECT_TRUE(isNear(got.y, batchNorm(x, gamma, beta, kExactEpsilon, exact), dtype(), 10 * kElementwise))
            << shape.text();
    }
}

TEST_P(BatchNorm, InferenceUsesTheGivenStatistics) {
    for (const Shape& shape : shapes()) {
        const Array x = drawn(shape, -1.0, 2.0, 1);
        const Array gamma = RandomNumbers(2).array({shape[3]}, 0.5, 1.5);
        const Array beta = RandomNumbers(3).array({shape[3]}, -0.5, 0.5);
        const Moments given{RandomNumbers(4).array({shape[3]}, -0.5, 0.5),
                            RandomNumbers(5).array({shape[3]}, 0.0, 2.0)};
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const auto f32 = [&](const Array& array) { return onDevice(device, DType::Float32, array); };
            const tensor::Tensor y = device.allocate(dtype(), shape);
            device.batchNormInference(onDevice(device, dtype(), x), f32(gamma), f32(beta), kEpsilon, f32(given.mean),
                                      f32(given.variance), y);
            return std::vector{fromDevice(device, y)};
        });
        EXPECT_TRUE(
            isNear(result.front(), batchNorm(x, gamma, beta, kExactEpsilon, given), dtype(), 10 * kElementwise))
            << shape.text();
    }
}

TEST_P(BatchNorm, AConstantChannelGivesBetaExactly) {
    for (const double value : {0.0, 1.0, 100.0, 0.1, -3.3, 16256.0}) {
        for (const std::int64_t count : {1, 8, 9, 1000, 16385}) {
            const double constant = roundTo(dtype(), value);
            const Trained got = trainAlternating(constant, constant, count, 1.25, 0.375);
            EXPECT_EQ(got.mean[0], constant) << count;
            EXPECT_EQ(got.variance[0], 0.0) << constant << ", " << count;
            for (const double y : got.y.values) {
                ASSERT_EQ(y, 0.375) << constant << ", " << count;
            }
        }
    }
}

TEST_P(BatchNorm, LargeMeansDoNotCancelTheVariance) {
    struct Pair {
        double a, b;
    };
    for (const Pair& pair : {Pair{10, 10.5}, Pair{255, 256}, Pair{300, 301}, Pair{10000, 10000.5}, Pair{1e6, 1e6 + 1},
                             Pair{4096, 4096.0009765625}, Pair{60000, 60032}}) {
        if (roundTo(dtype(), pair.a) != pair.a || roundTo(dtype(), pair.b) != pair.b) {
            continue; // this dtype cannot hold them
        }
        const double half = (pair.b - pair.a) / 2;
        for (const std::int64_t count : {8, 1000, 30000}) {
            const Trained got = trainAlternating(pair.a, pair.b, count, 1.0, 0.0);
            const double first = -half / std::sqrt(half * half + kExactEpsilon);
            EXPECT_NEAR(got.variance[0], half * half, 1e-6 * half * half) << pair.a << ", " << count;
            EXPECT_NEAR(got.y[0], first, 1e-6 + stepAt(dtype(), first)) << pair.a << ", " << count;
        }
    }
}

TEST_P(BatchNorm, TheVarianceIsNeverNegativeAndNearTheTruthWhereTheMeanIsLarge) {
    RandomNumbers numbers(9);
    for (const double offset : {1.0, 100.0, 10000.0}) {
        Array x = zeros({2, 17, 19, 24});
        for (double& value : x.values) {
            value = roundTo(dtype(), offset + numbers.between(-1e-3, 1e-3));
        }
        const Moments exact = batchMoments(x);
        const Trained got = train(x, filled({24}, 1.0), zeros({24}));
        for (std::int64_t c = 0; c < 24; ++c) {
            const double rounding = 6e-8 * offset; // of the mean
            EXPECT_GE(got.variance[c], 0.0);
            EXPECT_NEAR(got.variance[c], exact.variance[c], 1e-4 * exact.variance[c] + rounding * rounding) << offset;
        }
    }
}

TEST_P(BatchNorm, BackwardMatchesTheDoubleReference) {
    for (const Shape& shape : shapes()) {
        const Array x = drawn(shape, -1.0, 2.0, 1);
        const Array dy = drawn(shape, -1.0, 1.0, 2);
        const Array gamma = RandomNumbers(3).array({shape[3]}, 0.5, 1.5);
        const Moments moments = [&] {
            const Moments exact = batchMoments(x);
            return Moments{rounded(DType::Float32, exact.mean), rounded(DType::Float32, exact.variance)};
        }();
        const BatchNormGradients exact = batchNormBackward(x, dy, gamma, kExactEpsilon, moments);
        for (const DType variableDType : {DType::Float32, dtype()}) {
            const auto result = onEveryTeam([&](backend::Backend& device) {
                const auto f32 = [&](const Array& array) { return onDevice(device, DType::Float32, array); };
                const tensor::Tensor dgamma = device.allocate(variableDType, {shape[3]});
                const tensor::Tensor dbeta = device.allocate(variableDType, {shape[3]});
                const tensor::Tensor gradient = onDevice(device, dtype(), dy); // also the output
                device.batchNormBackward(onDevice(device, dtype(), x), gradient, f32(gamma), kEpsilon,
                                         f32(moments.mean), f32(moments.variance), gradient, dgamma, dbeta);
                return std::vector{fromDevice(device, gradient), fromDevice(device, dgamma),
                                   fromDevice(device, dbeta)};
            });
            const double share = sumTolerance(shape.count() / shape[3]);
            EXPECT_TRUE(isNear(result[1], exact.dgamma, variableDType, share)) << shape.text();
            EXPECT_TRUE(isNear(result[2], exact.dbeta, variableDType, share)) << shape.text();
            if (shape.count() > shape[3]) { // of a single sample the gradient is zero, but for rounding
                EXPECT_TRUE(isNear(result[0], exact.dx, dtype(), 10 * kElementwise)) << shape.text();
            }
        }
    }
}

TEST_P(BatchNorm, BackwardMayWriteElsewhere) {
    const Shape shape{2, 5, 7, 24};
    const Array x = drawn(shape, -1.0, 2.0, 1);
    const Array dy = drawn(shape, -1.0, 1.0, 2);
    const Moments moments = batchMoments(x);
    const auto dxOf = [&](bool inPlace) {
        return onEveryTeam([&](backend::Backend& device) {
            const auto f32 = [&](const Array& array) { return onDevice(device, DType::Float32, array); };
            const tensor::Tensor gradient = onDevice(device, dtype(), dy);
            const tensor::Tensor dx = inPlace ? gradient : device.allocate(dtype(), shape);
            device.batchNormBackward(onDevice(device, dtype(), x), gradient, f32(filled({24}, 1.0)), kEpsilon,
                                     f32(moments.mean), f32(moments.variance), dx, f32(zeros({24})),
                                     f32(zeros({24})));
            return std::vector{fromDevice(device, dx)};
        });
    };
    EXPECT_TRUE(sameBits(dxOf(true).front(), dxOf(false).front()));
}

/// Gradients of a batch normalization behind ReLU, and of the bias before that; in place, by one verb or by two.
std::vector<Array> throughRelu(backend::Backend& device, DType dtype, const Array& x, const Array& dy,
                               const Array& gamma, const Moments& moments, bool oneVerb, bool inPlace) {
    const auto f32 = [&](const Array& array) { return onDevice(device, DType::Float32, array); };
    const Shape channels{x.shape[3]};
    const tensor::Tensor dgamma = device.allocate(dtype, channels), dbeta = device.allocate(dtype, channels);
    const tensor::Tensor db = device.allocate(dtype, channels);
    const tensor::Tensor input = onDevice(device, dtype, x), gradient = onDevice(device, dtype, dy);
    const tensor::Tensor dx = inPlace ? gradient : device.allocate(dtype, x.shape);
    if (oneVerb) {
        device.batchNormReluBackward(input, gradient, f32(gamma), kEpsilon, f32(moments.mean), f32(moments.variance),
                                     dx, dgamma, dbeta, db);
    } else {
        device.batchNormBackward(input, gradient, f32(gamma), kEpsilon, f32(moments.mean), f32(moments.variance), dx,
                                 dgamma, dbeta);
        device.biasReluBackward(input, dx, db);
    }
    return {fromDevice(device, dx), fromDevice(device, dgamma), fromDevice(device, dbeta), fromDevice(device, db)};
}

TEST_P(BatchNorm, BackwardThroughReluMatchesTheDoubleReference) {
    for (const Shape& shape : shapes()) {
        Array x = drawn(shape, -1.0, 1.0, 1);
        for (double& value : x.values) {
            value = std::max(value, 0.0);
        }
        const Array dy = drawn(shape, -1.0, 1.0, 2);
        const Array gamma = RandomNumbers(3).array({shape[3]}, 0.5, 1.5);
        const Moments given{RandomNumbers(4).array({shape[3]}, 0.1, 0.4),
                            RandomNumbers(5).array({shape[3]}, 0.1, 0.5)};
        const Moments moments{rounded(DType::Float32, given.mean), rounded(DType::Float32, given.variance)};
        const BatchNormGradients norm = batchNormBackward(x, dy, gamma, kExactEpsilon, moments);
        const BiasReluGradients exact = biasReluBackward(x, norm.dx);
        const auto result = onEveryTeam([&](backend::Backend& device) {
            return throughRelu(device, dtype(), x, dy, gamma, moments, true, true);
        });
        const double share = sumTolerance(shape.count() / shape[3]);
        EXPECT_TRUE(isNear(result[0], exact.dy, dtype(), 10 * kElementwise)) << shape.text();
        EXPECT_TRUE(isNear(result[1], norm.dgamma, dtype(), share)) << shape.text();
        EXPECT_TRUE(isNear(result[2], norm.dbeta, dtype(), share)) << shape.text();
        // Of the values that were stored, the bias gradient sums.
        EXPECT_TRUE(isNear(result[3], biasReluBackward(x, result[0]).db, dtype(), share)) << shape.text();
    }
}

TEST_P(BatchNorm, BackwardThroughReluHasTheBitsOfTheTwoVerbs) {
    for (const Shape& shape : shapes()) {
        for (const double bad : {0.0, HUGE_VAL, std::nan("")}) {
            Array x = drawn(shape, -1.0, 2.0, 1);
            Array dy = drawn(shape, -1.0, 1.0, 2);
            dy[0] += bad;
            x[x.count() - 1] += bad;
            const Array gamma = RandomNumbers(3).array({shape[3]}, 0.5, 1.5);
            const Moments moments{RandomNumbers(4).array({shape[3]}, -0.5, 0.5),
                                  RandomNumbers(5).array({shape[3]}, 0.0, 2.0)};
            const auto two = throughRelu(device(), dtype(), x, dy, gamma, moments, false, true);
            for (const bool inPlace : {true, false}) {
                const auto one = throughRelu(device(), dtype(), x, dy, gamma, moments, true, inPlace);
                for (std::size_t i = 0; i < two.size(); ++i) {
                    EXPECT_TRUE(sameBits(one[i], two[i])) << shape.text() << ", output " << i << ", " << bad;
                }
            }
        }
    }
}

TEST_P(BatchNorm, PoolingInTheSamePassHasTheBitsOfTheTwoVerbs) {
    for (const Shape& shape : shapes()) {
        const Array x = drawn(shape, -1.0, 2.0, 1);
        const Array gamma = RandomNumbers(2).array({shape[3]}, 0.5, 1.5);
        const Array beta = RandomNumbers(3).array({shape[3]}, -0.5, 0.5);
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const auto f32 = [&](const Array& array) { return onDevice(device, DType::Float32, array); };
            const tensor::Tensor mean = device.allocate(DType::Float32, {shape[3]});
            const tensor::Tensor variance = device.allocate(DType::Float32, {shape[3]});
            const tensor::Tensor y = device.allocate(dtype(), shape), input = onDevice(device, dtype(), x);
            std::vector<tensor::Tensor> pooled;
            for (int i = 0; i < 4; ++i) {
                pooled.push_back(device.allocate(dtype(), {shape[0], shape[3]}));
            }
            device.batchNormTrain(input, f32(gamma), f32(beta), kEpsilon, mean, variance, pooled[0]);
            device.batchNormTrain(input, f32(gamma), f32(beta), kEpsilon, mean, variance, y);
            device.globalAveragePool(y, pooled[1]);
            device.batchNormInference(input, f32(gamma), f32(beta), kEpsilon, f32(beta), f32(gamma), pooled[2]);
            device.batchNormInference(input, f32(gamma), f32(beta), kEpsilon, f32(beta), f32(gamma), y);
            device.globalAveragePool(y, pooled[3]);
            return std::vector{fromDevice(device, pooled[0]), fromDevice(device, pooled[1]),
                               fromDevice(device, pooled[2]), fromDevice(device, pooled[3])};
        });
        EXPECT_TRUE(sameBits(result[0], result[1])) << shape.text();
        EXPECT_TRUE(sameBits(result[2], result[3])) << shape.text();
    }
}

TEST_P(BatchNorm, BackwardFromPoolingHasTheBitsOfTheVerbsOneByOne) {
    for (const Shape& shape : shapes()) {
        const Array x = drawn(shape, -1.0, 2.0, 1);
        const Array dy = drawn({shape[0], shape[3]}, -1.0, 1.0, 2);
        const Array gamma = RandomNumbers(3).array({shape[3]}, 0.5, 1.5);
        const Moments moments{RandomNumbers(4).array({shape[3]}, -0.5, 0.5),
                              RandomNumbers(5).array({shape[3]}, 0.0, 2.0)};
        const Array spread = onEveryTeam([&](backend::Backend& device) {
                                 const tensor::Tensor dx = device.allocate(dtype(), shape);
                                 device.globalAveragePoolBackward(onDevice(device, dtype(), dy), dx);
                                 return std::vector{fromDevice(device, dx)};
                             }).front();
        const auto expected = throughRelu(device(), dtype(), x, spread, gamma, moments, false, true);
        for (const bool oneVerb : {true, false}) {
            const auto result = onEveryTeam([&](backend::Backend& device) {
                return throughRelu(device, dtype(), x, dy, gamma, moments, oneVerb, false);
            });
            for (std::size_t i = 0; i < expected.size(); ++i) {
                EXPECT_TRUE(sameBits(result[i], expected[i])) << shape.text() << ", output " << i;
            }
        }
    }
}

TEST_P(BatchNorm, MovingAveragesKeepMomentumOfTheOldValue) {
    for (const std::int64_t count : {1, 3, 32, 67, 128}) {
        const Array batch = RandomNumbers(1).array({count}, -1.0, 3.0);
        Array expected = RandomNumbers(2).array({count}, -1.0, 1.0);
        const Array start = expected;
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor moving = onDevice(device, DType::Float32, start);
            for (int i = 0; i < 3; ++i) {
                device.movingAverage(onDevice(device, DType::Float32, batch), 0.99F, moving);
            }
            return std::vector{fromDevice(device, moving)};
        });
        for (int i = 0; i < 3; ++i) {
            expected = movingAverage(expected, batch, 0.99);
        }
        EXPECT_TRUE(isNear(result.front(), expected, DType::Float32, kElementwise)) << count;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, BatchNorm, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
