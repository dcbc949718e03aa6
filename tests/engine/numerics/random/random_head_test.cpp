#include "tests/engine/numerics/random/random_tensors.h"
#include "tests/support/bounds.h"
#include "tests/support/layer_oracle.h"
#include "tests/support/rounding.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <cmath>

namespace halfstep::support {
namespace {

class RandomHeads : public RandomTensors {
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
    tensor::Tensor on(backend::Backend& device, const Array& array) const { return onDevice(device, dtype(), array); }
};

TEST_P(RandomHeads, PoolingIsRightBothWays) {
    forEveryCase(5001, [this](RandomCase& random, Values values, backend::Backend& device) {
        const Shape shape{random.between(1, 5), random.between(1, 13), random.between(1, 17), random.between(1, 67)};
        const std::int64_t pixels = shape[1] * shape[2];
        const Array x = random.tensor(shape, values);
        const Array dy = random.tensor({shape[0], shape[3]}, random.kind());
        const tensor::Tensor y = device.allocate(dtype(), dy.shape), dx = device.allocate(dtype(), shape);
        device.globalAveragePool(on(device, x), y);
        device.globalAveragePoolBackward(on(device, dy), dx);
        Array sizes = globalAveragePool(sizesOf(x));
        for (double& size : sizes.values) {
            const double sum = size * static_cast<double>(pixels); // what may overflow
            size = sum > largestOf(DType::Float32) / 2 ? HUGE_VAL : size;
        }
        EXPECT_TRUE(
            isWithin(fromDevice(device, y), {globalAveragePool(x), sizes, sumTolerance(pixels), pixels}, dtype()));
        EXPECT_TRUE(isWithin(
            fromDevice(device, dx),
            {globalAveragePoolBackward(dy, shape), globalAveragePoolBackward(sizesOf(dy), shape), kElementwise},
            dtype()));
    });
}

TEST_P(RandomHeads, DenseIsRight) {
    forEveryCase(6001, [this](RandomCase& random, Values values, backend::Backend& device) {
        const std::int64_t batch = random.between(1, 5), inputs = random.between(1, 67),
                           units = random.between(1, 67);
        const Array x = random.tensor({batch, inputs}, values), w = random.tensor({inputs, units}, random.kind());
        const Array b = random.tensor({units}, random.kind());
        const tensor::Tensor y = device.allocate(dtype(), {batch, units});
        device.dense(on(device, x), on(device, w), on(device, b), y);
        EXPECT_TRUE(isWithin(
            fromDevice(device, y),
            {dense(x, w, b), dense(sizesOf(x), sizesOf(w), sizesOf(b)), sumTolerance(inputs + 1), inputs + 1},
            dtype()));
    });
}

TEST_P(RandomHeads, DenseBackwardIsRight) {
    forEveryCase(7001, [this](RandomCase& random, Values values, backend::Backend& device) {
        const std::int64_t batch = random.between(1, 5), inputs = random.between(1, 67),
                           units = random.between(1, 67);
        const Array x = random.tensor({batch, inputs}, values), w = random.tensor({inputs, units}, random.kind());
        const Array dy = random.tensor({batch, units}, random.kind());
        const tensor::Tensor dx = device.allocate(dtype(), x.shape), dw = device.allocate(dtype(), w.shape);
        const tensor::Tensor db = device.allocate(dtype(), {units});
        device.denseBackward(on(device, x), on(device, w), on(device, dy), dx, dw, db);
        const DenseGradients exact = denseBackward(x, w, dy);
        const DenseGradients sizes = denseBackward(sizesOf(x), sizesOf(w), sizesOf(dy));
        const auto holds = [&](const tensor::Tensor& got, const Array& right, const Array& size, std::int64_t terms) {
            return isWithin(fromDevice(device, got), {right, size, sumTolerance(terms), terms}, dtype());
        };
        EXPECT_TRUE(holds(dx, exact.dx, sizes.dx, units));
        EXPECT_TRUE(holds(dw, exact.dw, sizes.dw, batch));
        EXPECT_TRUE(holds(db, exact.db, sizes.db, batch));
    });
}

/// Where a row's largest logit is infinite or one is NaN, nothing but the kind of its loss is held.
bool isDetermined(const Array& logits, std::int64_t row) {
    const std::int64_t classes = logits.shape[1];
    bool finite = false;
    for (std::int64_t k = 0; k < classes; ++k) {
        const double logit = logits[row * classes + k];
        if (std::isnan(logit) || logit == HUGE_VAL) {
            return false;
        }
        finite = finite || std::isfinite(logit);
    }
    return finite;
}

TEST_P(RandomHeads, TheLossIsRightAndFiniteForFiniteLogits) {
    forEveryCase(8001, [this](RandomCase& random, Values values, backend::Backend& device) {
        const std::int64_t batch = random.between(1, 5), classes = random.between(1, 67);
        const Array logits = random.tensor({batch, classes}, values);
        std::vector<std::int64_t> labels;
        for (std::int64_t n = 0; n < batch; ++n) {
            labels.push_back(random.between(0, classes - 1));
        }
        const float lossScale = std::ldexp(1.0F, static_cast<int>(random.between(0, 16)));
        const tensor::Tensor gradient = device.allocate(dtype(), logits.shape);
        std::vector<float> softmax(static_cast<std::size_t>(logits.count()));
        const backend::LossResult loss =
            device.softmaxCrossEntropy(on(device, logits), labels, lossScale, &gradient, softmax);
        const LossHead exact = softmaxCrossEntropy(logits, labels, lossScale);
        const Array dlogits = fromDevice(device, gradient);
        bool determined = true;
        for (std::int64_t n = 0; n < batch; ++n) {
            if (!isDetermined(logits, n)) {
                determined = false;
                continue;
            }
            const double one = lossScale / static_cast<double>(batch); // what p = 1 gives
            for (std::int64_t i = n * classes; i < (n + 1) * classes; ++i) {
                EXPECT_NEAR(softmax[static_cast<std::size_t>(i)], exact.probabilities[i], kElementwise);
                const double limit = kElementwise * one;
                EXPECT_GE(dlogits[i], roundTo(dtype(), exact.dlogits[i] - limit)) << i;
                EXPECT_LE(dlogits[i], roundTo(dtype(), exact.dlogits[i] + limit)) << i;
            }
        }
        if (!determined) {
            EXPECT_FALSE(std::isfinite(loss.lossSum)) << "a bad logit must show";
        } else if (std::isinf(exact.lossSum)) { // a label whose logit is -infinity
            EXPECT_EQ(loss.lossSum, exact.lossSum);
            EXPECT_EQ(loss.correct, exact.correct);
        } else {
            EXPECT_NEAR(loss.lossSum, exact.lossSum, kElementwise * std::max(1.0, exact.lossSum));
            EXPECT_EQ(loss.correct, exact.correct);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Cpu, RandomHeads, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
