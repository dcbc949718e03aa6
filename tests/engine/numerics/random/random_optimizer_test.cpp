#include "tests/engine/numerics/random/random_tensors.h"
#include "tests/support/bounds.h"
#include "tests/support/optimizer_oracle.h"
#include "tests/support/rounding.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <cmath>

namespace halfstep::support {
namespace {

class RandomUpdates : public RandomTensors {
protected:
    template <class Body>
    void forEveryCase(std::uint64_t firstSeed, const Body& body) const {
        for (std::uint64_t seed = firstSeed; seed < firstSeed + kCases; ++seed) {
            RandomCase random(dtype(), seed);
            const Values values = random.kind();
            SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(nameOf(values)));
            body(random, values, RandomCase::device(random.between(0, 3)));
        }
    }

    /// Elements whose square float32 holds; NaN and infinities stay.
    static Array squarable(Array array) {
        for (double& value : array.values) {
            if (std::isfinite(value) && std::abs(value) > 0x1p60) {
                value = std::copysign(0x1p60, value);
            }
        }
        return array;
    }
    static Array sizesOfBoth(const Array& a, double factorA, const Array& b, double factorB) {
        Array result = sizesOf(a);
        const Array other = sizesOf(b);
        for (std::int64_t i = 0; i < result.count(); ++i) {
            result[i] = result[i] * factorA + other[i] * factorB;
        }
        return result;
    }
    /// Whether so many updates were wanted and not lost as weights moved; of weights that are NaN nobody can tell.
    static bool counts(const backend::UpdateCounts& got, const Array& before, const Array& after) {
        std::int64_t moved = 0;
        for (std::int64_t i = 0; i < before.count(); ++i) {
            if (std::isnan(before[i])) {
                return true;
            }
            moved += before[i] == after[i] ? 0 : 1;
        }
        return got.wanted >= got.lost && got.wanted - got.lost == moved;
    }
};

TEST_P(RandomUpdates, UnscaleDividesOnceAndFindsEveryElementThatIsNotFinite) {
    forEveryCase(9001, [this](RandomCase& random, Values values, backend::Backend& device) {
        const Array gradient = random.tensor({random.between(1, 67)}, values);
        const bool power = random.between(0, 1) == 0;
        const float scale = power ? std::ldexp(1.0F, static_cast<int>(random.between(0, 127)))
                                  : static_cast<float>(random.between(1, 1'000'000)) / 7.0F;
        for (const DType to : {DType::Float32, dtype()}) {
            const tensor::Tensor result = device.allocate(to, gradient.shape);
            const bool finite = device.unscale(onDevice(device, dtype(), gradient), scale, result);
            EXPECT_EQ(finite, std::all_of(gradient.values.begin(), gradient.values.end(),
                                          [](double value) { return std::isfinite(value); }));
            Array expected = gradient;
            for (double& value : expected.values) {
                value = roundTo(to, roundTo(DType::Float32, value / static_cast<double>(scale)));
            }
            EXPECT_TRUE(isExactly(fromDevice(device, result), expected)) << scale;
        }
    });
}

TEST_P(RandomUpdates, AdamIsRight) {
    forEveryCase(10001, [this](RandomCase& random, Values values, backend::Backend& device) {
        const Shape shape{random.between(1, 67)};
        const std::int64_t iteration = random.between(1, 2000);
        const Array g = squarable(random.tensor(shape, values));
        const Array m0 = squarable(random.tensor(shape, random.kind()));
        const Array w0 = random.tensor(shape, random.kind());
        Array v0 = random.tensor(shape, random.kind());
        for (double& value : v0.values) {
            value = std::abs(value); // a mean of squares
        }
        const tensor::Tensor m = onDevice(device, dtype(), m0), v = onDevice(device, dtype(), v0);
        const tensor::Tensor w = onDevice(device, dtype(), w0);
        const backend::UpdateCounts updates = device.adam(onDevice(device, dtype(), g), {}, iteration, m, v, w);
        AdamState exact{m0, v0, w0};
        adam(g, {}, iteration, exact);
        const Array mSizes = sizesOfBoth(m0, 1, g, 1);
        Array squares = g, wSizes = zeros(shape);
        const double t = static_cast<double>(iteration);
        const double alpha = 0.001 * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            squares[i] *= squares[i];
            // Below 2^-100 a second moment may be anything: epsilon is what divides.
            const double root = exact.v[i] < 0x1p-100 ? 0.0 : std::sqrt(exact.v[i]);
            const double moved = alpha * mSizes[i] / (root + 1e-7);
            wSizes[i] = std::isfinite(w0[i]) ? std::abs(w0[i]) : 0.0;
            wSizes[i] += std::isfinite(moved) ? moved : 0.0;
            if (exact.m[i] == 0) {
                exact.w[i] = w0[i]; // a moment of 0 moves nothing, whatever v is
            }
        }
        // Four roundings lie between the operands and the quotient.
        const double share = 2 * kElementwise;
        const Array moved = fromDevice(device, w);
        EXPECT_TRUE(isWithin(fromDevice(device, m), {exact.m, mSizes, share}, dtype()));
        EXPECT_TRUE(isWithin(fromDevice(device, v), {exact.v, sizesOfBoth(v0, 1, squares, 1), share}, dtype()));
        EXPECT_TRUE(isWithin(moved, {exact.w, wSizes, share, 1, 2 / 1e-7}, dtype())); // alpha m is divided by epsilon
        EXPECT_TRUE(counts(updates, w0, moved)) << updates.wanted << " wanted, " << updates.lost << " lost";
    });
}

TEST_P(RandomUpdates, SgdIsRight) {
    forEveryCase(11001, [this](RandomCase& random, Values values, backend::Backend& device) {
        const Shape shape{random.between(1, 67)};
        const Array g = random.tensor(shape, values), w0 = random.tensor(shape, random.kind());
        const double rate = static_cast<double>(static_cast<float>(std::ldexp(1.0 / 3.0, -random.between(0, 20))));
        const tensor::Tensor w = onDevice(device, dtype(), w0);
        const backend::UpdateCounts updates = device.sgd(onDevice(device, dtype(), g), rate, w);
        Array exact = w0;
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            exact[i] -= rate * g[i];
        }
        const Array moved = fromDevice(device, w);
        EXPECT_TRUE(isWithin(moved, {exact, sizesOfBoth(w0, 1, g, rate), kElementwise}, dtype()));
        EXPECT_TRUE(counts(updates, w0, moved)) << updates.wanted << " wanted, " << updates.lost << " lost";
    });
}

TEST_P(RandomUpdates, MovingAveragesAreRight) {
    forEveryCase(12001, [this](RandomCase& random, Values values, backend::Backend& device) {
        const Shape shape{random.between(1, 67)};
        const Array batch = random.tensor(DType::Float32, shape, values), old = random.tensor(shape, random.kind());
        const tensor::Tensor moving = onDevice(device, dtype(), old);
        device.movingAverage(onDevice(device, DType::Float32, batch), 0.99F, moving);
        EXPECT_TRUE(isWithin(
            fromDevice(device, moving),
            {movingAverage(old, batch, static_cast<double>(0.99F)), sizesOfBoth(old, 1, batch, 1), kElementwise},
            dtype()));
    });
}

INSTANTIATE_TEST_SUITE_P(Cpu, RandomUpdates, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
