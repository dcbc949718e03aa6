#include "tests/engine/numerics/random/random_tensors.h"
#include "tests/support/bounds.h"
#include "tests/support/layer_oracle.h"
#include "tests/support/rounding.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <cmath>

namespace halfstep::support {
namespace {

constexpr float kEpsilon = 0.001F;
constexpr double kExactEpsilon = kEpsilon;
constexpr double kUnit = 0x1p-24; ///< a rounding to float32, of a value

class RandomBatchNorms : public RandomTensors {
protected:
    template <class Body>
    void forEveryCase(std::uint64_t firstSeed, const Body& body) const {
        for (std::uint64_t seed = firstSeed; seed < firstSeed + kCases; ++seed) {
            RandomCase random(dtype(), seed);
            const Shape shape{random.between(1, 5), random.between(1, 13), random.between(1, 17),
                              random.between(1, 67)};
            SCOPED_TRACE("seed " + std::to_string(seed) + ", " + shape.text());
            body(random, shape, RandomCase::device(random.between(0, 3)));
        }
    }
    static tensor::Tensor f32(backend::Backend& device, const Array& array) {
        return onDevice(device, DType::Float32, array);
    }

    /// Elements whose sums of squares float32 holds; NaN and infinities stay.
    static Array squarable(Array array) {
        for (double& value : array.values) {
            if (std::isfinite(value) && std::abs(value) > 0x1p50) {
                value = std::copysign(0x1p50, value);
            }
        }
        return array;
    }

    /// Each channel about a value of its own, which may be large beside the spread.
    Array aboutChannelMeans(RandomCase& random, const Shape& shape) const {
        Array x = random.uniform(shape, -1.0, 1.0);
        std::vector<double> centre, spread;
        for (std::int64_t c = 0; c < shape[3]; ++c) {
            centre.push_back(std::ldexp(1.0, static_cast<int>(random.between(-4, 14))));
            spread.push_back(std::ldexp(1.0, -static_cast<int>(random.between(0, 10))));
        }
        for (std::int64_t i = 0; i < x.count(); ++i) {
            const auto c = static_cast<std::size_t>(i % shape[3]);
            x[i] = roundTo(dtype(), centre[c] * (1 + spread[c] * x[i]));
        }
        return x;
    }
};

/// What float32 may make of a channel's statistics: the first difference from the mean that is rounded is that from
/// the first row, so that errors go by the spread, and only the mean's store by its size.
struct Statistics {
    double mean, variance, meanError, varianceError;
    bool finite = true;

    Statistics(const Array& x, const Moments& exact, std::int64_t channel)
        : mean(exact.mean[channel]),
          variance(exact.variance[channel]) {
        const std::int64_t channels = x.shape[3], samples = x.count() / channels;
        double largest = 0; // difference from the first row
        for (std::int64_t i = channel; i < x.count(); i += channels) {
            finite = finite && std::isfinite(x[i]);
            largest = std::max(largest, std::abs(x[i] - x[channel]));
        }
        const double share = sumTolerance(samples);
        meanError = kUnit * std::abs(mean) + share * largest + 0x1p-149;
        varianceError = 10 * share * variance + meanError * meanError + share * largest * meanError + 0x1p-140;
    }
};

TEST_P(RandomBatchNorms, TrainingIsRight) {
    forEveryCase(13001, [this](RandomCase& random, const Shape& shape, backend::Backend& device) {
        const bool centred = random.between(0, 1) == 0;
        const Values values = random.kind();
        SCOPED_TRACE(centred ? "about channel means" : nameOf(values));
        const Array x = centred ? aboutChannelMeans(random, shape) : squarable(random.tensor(shape, values));
        const Shape channels{shape[3]};
        const Array gamma = random.uniform(DType::Float32, channels, -1.5, 1.5);
        const Array beta = random.uniform(DType::Float32, channels, -0.5, 0.5);
        const tensor::Tensor mean = device.allocate(DType::Float32, channels);
        const tensor::Tensor variance = device.allocate(DType::Float32, channels);
        const tensor::Tensor y = device.allocate(dtype(), shape);
        device.batchNormTrain(onDevice(device, dtype(), x), f32(device, gamma), f32(device, beta), kEpsilon, mean,
                              variance, y);
        const Array gotMean = fromDevice(device, mean), gotVariance = fromDevice(device, variance);
        const Array gotY = fromDevice(device, y);
        const Moments exact = batchMoments(x);
        const Array exactY = batchNorm(x, gamma, beta, kExactEpsilon, exact);
        for (std::int64_t c = 0; c < shape[3]; ++c) {
            const Statistics s(x, exact, c);
            if (!s.finite) {
                EXPECT_FALSE(std::isfinite(gotMean[c])) << c;
                EXPECT_FALSE(std::isfinite(gotVariance[c])) << c;
            } else {
                EXPECT_NEAR(gotMean[c], s.mean, s.meanError) << c;
                EXPECT_GE(gotVariance[c], 0.0) << c;
                EXPECT_NEAR(gotVariance[c], s.variance, s.varianceError) << c;
            }
            const double root = std::sqrt(s.variance + kExactEpsilon);
            for (std::int64_t i = c; i < x.count(); i += shape[3]) {
                if (!s.finite) {
                    ASSERT_TRUE(std::isnan(gotY[i])) << i;
                    continue;
                }
                const double normalized = std::abs(x[i] - s.mean) / root;
                const double rootError = 0.5 * s.varianceError / (s.variance + kExactEpsilon);
                const double limit = std::abs(gamma[c]) * (s.meanError / root + normalized * rootError) +
                                     kElementwise * (std::abs(gamma[c]) * normalized + std::abs(beta[c]));
                ASSERT_GE(gotY[i], roundTo(dtype(), exactY[i] - limit)) << i;
                ASSERT_LE(gotY[i], roundTo(dtype(), exactY[i] + limit)) << i;
            }
        }
    });
}

/// The sizes of what batch normalization adds: |gamma| (|x| + |mean|) / root + |beta|.
Array sizesOfNormalized(const Array& x, const Array& gamma, const Array& beta, const Moments& moments) {
    const Array absolute = sizesOf(x);
    const Moments negative{scaled(sizesOf(moments.mean), -1.0), moments.variance};
    return batchNorm(absolute, sizesOf(gamma), sizesOf(beta), kExactEpsilon, negative);
}

TEST_P(RandomBatchNorms, InferenceIsRight) {
    forEveryCase(14001, [this](RandomCase& random, const Shape& shape, backend::Backend& device) {
        const Values values = random.kind();
        SCOPED_TRACE(nameOf(values));
        const Array x = random.tensor(shape, values);
        const Shape channels{shape[3]};
        const Array gamma = random.uniform(DType::Float32, channels, -1.5, 1.5);
        const Array beta = random.uniform(DType::Float32, channels, -0.5, 0.5);
        const Moments given{random.uniform(DType::Float32, channels, -2.0, 2.0),
                            random.uniform(DType::Float32, channels, 0.0, 4.0)};
        const tensor::Tensor y = device.allocate(dtype(), shape);
        device.batchNormInference(onDevice(device, dtype(), x), f32(device, gamma), f32(device, beta), kEpsilon,
                                  f32(device, given.mean), f32(device, given.variance), y);
        EXPECT_TRUE(isWithin(
            fromDevice(device, y),
            {batchNorm(x, gamma, beta, kExactEpsilon, given), sizesOfNormalized(x, gamma, beta, given), kElementwise},
            dtype()));
    });
}

TEST_P(RandomBatchNorms, BackwardIsRight) {
    forEveryCase(15001, [this](RandomCase& random, const Shape& shape, backend::Backend& device) {
        const Values values = random.kind();
        SCOPED_TRACE(nameOf(values));
        const Array x = random.uniform(shape, -1.0, 2.0), dy = squarable(random.tensor(shape, values));
        const Shape channels{shape[3]};
        const Array gamma = random.uniform(DType::Float32, channels, -1.5, 1.5);
        const Moments given{random.uniform(DType::Float32, channels, -2.0, 2.0),
                            random.uniform(DType::Float32, channels, 0.0, 4.0)};
        const tensor::Tensor dgamma = device.allocate(dtype(), channels), dbeta = device.allocate(dtype(), channels);
        const tensor::Tensor gradient = onDevice(device, dtype(), dy);
        const tensor::Tensor dx = random.between(0, 1) == 0 ? gradient : device.allocate(dtype(), shape);
        device.batchNormBackward(onDevice(device, dtype(), x), gradient, f32(device, gamma), kEpsilon,
                                 f32(device, given.mean), f32(device, given.variance), dx, dgamma, dbeta);
        const BatchNormGradients exact = batchNormBackward(x, dy, gamma, kExactEpsilon, given);
        const std::int64_t samples = shape.count() / shape[3];
        // Sizes of the terms: xhat's is (|x| + |mean|) / root, and all three of dx's are added.
        Array dgammaSizes = zeros(channels), dbetaSizes = zeros(channels), dxSizes = zeros(shape);
        const Array ones = filled(channels, 1.0), none = zeros(channels);
        const Array xhat = sizesOfNormalized(x, ones, none, given), gradients = sizesOf(dy);
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            dbetaSizes[i % shape[3]] += gradients[i];
            dgammaSizes[i % shape[3]] += gradients[i] * xhat[i];
        }
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            const std::int64_t c = i % shape[3];
            const double sums = (dbetaSizes[c] + xhat[i] * dgammaSizes[c]) / static_cast<double>(samples);
            dxSizes[i] = std::abs(gamma[c]) / std::sqrt(given.variance[c] + kExactEpsilon) * (gradients[i] + sums);
        }
        const double share = sumTolerance(samples);
        const Array got = fromDevice(device, dx);
        EXPECT_TRUE(isWithin(fromDevice(device, dbeta), {exact.dbeta, dbetaSizes, share, samples}, dtype()));
        EXPECT_TRUE(isWithin(fromDevice(device, dgamma), {exact.dgamma, dgammaSizes, share, samples}, dtype()));
        Array finitePart =
            exact.dx; // where a sum is not finite, dx is infinite or NaN, in whatever order it is taken
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            if (!std::isfinite(exact.dbeta[i % shape[3]]) || !std::isfinite(exact.dgamma[i % shape[3]])) {
                EXPECT_FALSE(std::isfinite(got[i])) << i;
                dxSizes[i] = HUGE_VAL;
                finitePart[i] = 0;
            }
        }
        constexpr double kGain = 1e4; // 1.5 / sqrt(epsilon), once for dx and twice where it goes by xhat
        EXPECT_TRUE(isWithin(got, {finitePart, dxSizes, 2 * share, samples, kGain}, dtype()));
    });
}

INSTANTIATE_TEST_SUITE_P(Cpu, RandomBatchNorms, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
