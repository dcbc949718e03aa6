#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"
#include "tests/support/layer_oracle.h"
#include "tests/support/random_numbers.h"
#include "tests/support/tolerance.h"
#include <cmath>

namespace halfstep::support {
namespace {

/// Pooling, dense layer and loss: the head of the network.
class Head : public EveryBackend {
protected:
    struct Loss {
        double sum;
        double correct;
        Array dlogits, probabilities;
    };

    Loss lossOf(const Array& logits, const std::vector<std::int64_t>& labels, float lossScale) const {
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor dlogits = device.allocate(dtype(), logits.shape);
            std::vector<float> probabilities(static_cast<std::size_t>(logits.count()));
            const backend::LossResult loss = device.softmaxCrossEntropy(onDevice(device, dtype(), logits), labels,
                                                                        lossScale, &dlogits, probabilities);
            return std::vector{Array{{2}, {loss.lossSum, static_cast<double>(loss.correct)}},
                               fromDevice(device, dlogits),
                               Array{logits.shape, {probabilities.begin(), probabilities.end()}}};
        });
        return {result[0][0], result[0][1], result[1], result[2]};
    }

    void expectMatchesTheReference(const Array& logits, const std::vector<std::int64_t>& labels,
                                   float lossScale) const {
        const Loss got = lossOf(logits, labels, lossScale);
        const LossHead exact = softmaxCrossEntropy(logits, labels, lossScale);
        EXPECT_NEAR(got.sum, exact.lossSum, 1e-6 * std::max(1.0, exact.lossSum));
        EXPECT_EQ(got.correct, static_cast<double>(exact.correct));
        // p - 1 of a sure and right prediction keeps the absolute error of p near 1.
        const double largest = lossScale / static_cast<double>(labels.size());
        const double share = kElementwise * std::max(1.0, largest / rms(exact.dlogits));
        EXPECT_TRUE(isNear(got.dlogits, exact.dlogits, dtype(), share));
        EXPECT_TRUE(isNear(got.probabilities, exact.probabilities, DType::Float32, kElementwise));
    }
};

TEST_P(Head, GlobalAveragePoolMatchesTheDoubleReferenceBothWays) {
    for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{2, 4, 4, 128}, Shape{7, 5, 3, 10}, Shape{3, 32, 32, 33},
                               Shape{2, 37, 36, 3}, Shape{1, 8, 8, 64}}) {
        const Array x = drawn(shape, -1.0, 2.0, 1);
        const Array dy = drawn({shape[0], shape[3]}, -1.0, 1.0, 2);
        const auto result = onEveryTeam([&](backend::Backend& device) {
            const tensor::Tensor y = device.allocate(dtype(), dy.shape);
            const tensor::Tensor dx = device.allocate(dtype(), shape);
            device.globalAveragePool(onDevice(device, dtype(), x), y);
            device.globalAveragePoolBackward(onDevice(device, dtype(), dy), dx);
            return std::vector{fromDevice(device, y), fromDevice(device, dx)};
        });
        EXPECT_TRUE(isNear(result[0], globalAveragePool(x), dtype(), sumTolerance(shape[1] * shape[2])))
            << shape.text();
        EXPECT_TRUE(isNear(result[1], globalAveragePoolBackward(dy, shape), dtype(), kElementwise)) << shape.text();
    }
}

TEST_P(Head, DenseMatchesTheDoubleReferenceBothWays) {
    for (const std::int64_t batch : {1, 2, 7, 32, 65}) {
        for (const Shape& wShape : {Shape{128, 10}, Shape{1, 1}, Shape{3, 10}, Shape{33, 17}}) {
            const Array x = drawn({batch, wShape[0]}, -1.0, 2.0, 1);
            const Array w = drawn(wShape, -0.5, 0.5, 2);
            const Array b = drawn({wShape[1]}, -0.5, 0.5, 3);
            const Array dy = drawn({batch, wShape[1]}, -1.0, 1.0, 4);
            const DenseGradients exact = denseBackward(x, w, dy);
            const auto result = onEveryTeam([&](backend::Backend& device) {
                const tensor::Tensor y = device.allocate(dtype(), dy.shape);
                const tensor::Tensor dx = device.allocate(dtype(), x.shape);
                const tensor::Tensor dw = onDevice(device, dtype(), filled(wShape, 5.0)); // must be overwritten
                const tensor::Tensor db = onDevice(device, dtype(), filled(b.shape, 5.0));
                const tensor::Tensor input = onDevice(device, dtype(), x);
                const tensor::Tensor weights = onDevice(device, dtype(), w);
                device.dense(input, weights, onDevice(device, dtype(), b), y);
                device.denseBackward(input, weights, onDevice(device, dtype(), dy), dx, dw, db);
                return std::vector{fromDevice(device, y), fromDevice(device, dx), fromDevice(device, dw),
                                   fromDevice(device, db)};
            });
            EXPECT_TRUE(isNear(result[0], dense(x, w, b), dtype(), sumTolerance(wShape[0])))
                << batch << wShape.text();
            EXPECT_TRUE(isNear(result[1], exact.dx, dtype(), sumTolerance(wShape[1]))) << batch << wShape.text();
            EXPECT_TRUE(isNear(result[2], exact.dw, dtype(), sumTolerance(batch))) << batch << wShape.text();
            EXPECT_TRUE(isNear(result[3], exact.db, dtype(), sumTolerance(batch))) << batch << wShape.text();
        }
    }
}

TEST_P(Head, LossMatchesTheDoubleReference) {
    RandomNumbers numbers(3);
    for (const std::int64_t batch : {1, 2, 7, 32, 129}) {
        for (const std::int64_t classes : {2, 10, 33}) {
            for (const float lossScale : {1.0F, 1024.0F}) {
                std::vector<std::int64_t> labels;
                for (std::int64_t n = 0; n < batch; ++n) {
                    labels.push_back(static_cast<std::int64_t>(numbers.next()) & 1);
                }
                SCOPED_TRACE(testing::Message() << batch << " x " << classes << ", loss scale " << lossScale);
                expectMatchesTheReference(drawn({batch, classes}, -6.0, 6.0, numbers.next()), labels, lossScale);
            }
        }
    }
}

TEST_P(Head, LossOfKnownLogitsIsTheKnownNumber) {
    // The logit of class 0 among nine zeros; 12 is where exp leaves float16.
    struct Row {
        double logit, lossOfLabel0, lossOfLabel1;
    };
    for (const Row& row : {Row{0, 2.302585093, 2.302585093}, Row{5, 0.0588739354, 5.0588739354},
                           Row{11, 0.000150304011, 11.000150304}, Row{12, 5.52963823e-05, 12.0000552964},
                           Row{20, 1.85503824e-08, 20.0000000186}, Row{100, 0, 100}, Row{1000, 0, 1000}}) {
        const double logit = rounded(dtype(), {{1}, {row.logit}})[0];
        Array logits = zeros({1, 10});
        logits[0] = logit;
        EXPECT_NEAR(lossOf(logits, {0}, 1).sum, row.lossOfLabel0, 1e-6) << row.logit;
        EXPECT_NEAR(lossOf(logits, {1}, 1).sum, row.lossOfLabel1, 1e-6 * std::max(1.0, logit)) << row.logit;
    }
}

TEST_P(Head, LossIsFiniteForEveryFiniteLogit) {
    for (const double size : {1e4, 65504.0}) {
        const double large = rounded(dtype(), {{1}, {dtype() == DType::BFloat16 ? 1e4 : size}})[0];
        for (std::int64_t label = 0; label < 3; ++label) {
            expectMatchesTheReference({{2, 3}, {large, -large, 0, -large, -large, large}}, {label, label}, 1);
        }
    }
    const double largest = 3.38953138925e38; // of bfloat16
    if (dtype() != DType::Float16) {
        const Loss loss = lossOf(rounded(dtype(), {{1, 3}, {largest / 4, -largest / 4, 0}}), {1}, 1);
        EXPECT_TRUE(std::isfinite(loss.sum));
        EXPECT_NEAR(loss.dlogits[0], 1.0, 1e-6);
        EXPECT_NEAR(loss.dlogits[1], -1.0, 1e-6);
    }
}

TEST_P(Head, OfEqualLogitsTheFirstIsThePrediction) {
    const Array logits = filled({3, 10}, -2.5);
    const Loss loss = lossOf(logits, {0, 1, 9}, 1);
    EXPECT_EQ(loss.correct, 1);
    EXPECT_NEAR(loss.sum, 3 * std::log(10.0), 1e-5);
    expectMatchesTheReference({{1, 4}, {1, 3, 3, 2}}, {1}, 1);
    expectMatchesTheReference({{1, 4}, {1, 3, 3, 2}}, {2}, 1);
}

TEST_P(Head, TheLossScaleMayOverflowTheGradientOfOneSample) {
    // (0.5 - 1) 2^17 = -65536 is past float16's largest value: data, not an error.
    const Loss loss = lossOf(zeros({1, 2}), {0}, 0x1p17F);
    EXPECT_NEAR(loss.sum, std::log(2.0), 1e-6);
    if (dtype() == DType::Float16) {
        EXPECT_EQ(loss.dlogits[0], -INFINITY);
        EXPECT_EQ(loss.dlogits[1], INFINITY);
    } else {
        EXPECT_EQ(loss.dlogits[0], -65536.0);
        EXPECT_EQ(loss.dlogits[1], 65536.0);
    }
}

TEST_P(Head, LossAloneNeedsNeitherGradientNorProbabilities) {
    const Array logits = drawn({7, 10}, -3, 3, 1);
    const std::vector<std::int64_t> labels{0, 1, 2, 3, 4, 5, 6};
    const tensor::Tensor onCpu = onDevice(device(), dtype(), logits);
    const backend::LossResult alone = device().softmaxCrossEntropy(onCpu, labels, 1, nullptr, {});
    EXPECT_EQ(static_cast<float>(alone.lossSum), static_cast<float>(lossOf(logits, labels, 1).sum));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Head, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
