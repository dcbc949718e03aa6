// Case A08: softmax and cross-entropy are right and finite for all finite logits, in every dtype that logits are
// stored in.
#include "engine/train/single_step.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/convnet_case.h"
#include "tests/support/csv_table.h"
#include "tests/support/device_arrays.h"
#include "tests/support/rounding.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace halfstep::support {
namespace {

constexpr double kSmallestNormal = std::numeric_limits<float>::min();

struct Head {
    double loss;
    Array probabilities, dlogits;
};

class CrossEntropyTable : public EveryBackend {
protected:
    /// Of one sample, so a batch of 1.
    Head headOf(const std::vector<double>& logits, std::int64_t label, float lossScale = 1) const {
        const Shape shape{1, static_cast<std::int64_t>(logits.size())};
        const tensor::Tensor dlogits = device().allocate(dtype(), shape);
        std::vector<float> probabilities(logits.size());
        const std::vector<std::int64_t> labels{label};
        const backend::LossResult loss = device().softmaxCrossEntropy(onDevice(device(), dtype(), {shape, logits}),
                                                                      labels, lossScale, &dlogits, probabilities);
        return {loss.lossSum, {shape, {probabilities.begin(), probabilities.end()}}, fromDevice(device(), dlogits)};
    }

    /// Within 1e-6 max(1, right), and as far as float32 has digits also within 2e-6 of a loss near 0.
    static void expectLoss(double got, double right) {
        EXPECT_NEAR(got, right, 1e-6 * std::max(1.0, right));
        if (right > kSmallestNormal) {
            EXPECT_NEAR(got, right, 2e-6 * right);
        }
    }
};

TEST_P(CrossEntropyTable, EveryRowIsRight) {
    const CsvTable table("regression/tables/cross_entropy.csv");
    int tested = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double logit = table.number(row, "logit_of_class0 (other 9 are 0)");
        if (roundTo(dtype(), logit) != logit) {
            continue; // this dtype cannot hold it
        }
        ++tested;
        std::vector<double> logits(10, 0.0);
        logits[0] = logit;
        SCOPED_TRACE(logit);
        for (const std::int64_t label : {0, 1}) {
            const Head head = headOf(logits, label);
            expectLoss(head.loss, table.number(row, label == 0 ? "right_CE_if_label_0" : "right_CE_if_label_1"));
            EXPECT_NEAR(head.probabilities[0], table.number(row, "right_p0"), 1e-6);
            EXPECT_NEAR(head.probabilities[1], table.number(row, "right_p1"), 1e-6);
            for (std::int64_t k = 0; k < 10; ++k) {
                const double right = table.number(row, k == 0 ? "right_p0" : "right_p1") - (k == label ? 1.0 : 0.0);
                EXPECT_NEAR(head.dlogits[k], right, 1e-6 + stepAt(dtype(), right)) << k;
            }
        }
    }
    EXPECT_GE(tested, dtype() == DType::BFloat16 ? 8 : 10);
}

TEST_P(CrossEntropyTable, IsFiniteForTheLargestFiniteLogits) {
    const double largest = largestOf(dtype());
    for (const double other : {largest, 0.0, -largest}) {
        std::vector<double> logits(10, other);
        logits[3] = largest;
        for (const std::int64_t label : {3, 7}) {
            const Head head = headOf(logits, label);
            const double ties = other == largest ? std::log(10.0) : 0.0;
            const double right = label == 3 ? ties : largest - other + ties;
            EXPECT_TRUE(std::isfinite(head.loss)) << other;
            EXPECT_NEAR(head.loss, right, 1e-6 * std::max(1.0, right)) << other;
            for (std::int64_t k = 0; k < 10; ++k) {
                EXPECT_TRUE(std::isfinite(head.dlogits[k])) << other << ", " << k;
                EXPECT_TRUE(std::isfinite(head.probabilities[k])) << other << ", " << k;
            }
        }
    }
}

TEST_P(CrossEntropyTable, AScaledGradientMayOverflowWhereTheLossDoesNot) {
    // (p - 1) 2^16 of a sure and wrong sample is -65536: beyond float16, and no fault. Such a step is skipped.
    std::vector<double> logits(10, 0.0);
    logits[0] = 20;
    const Head head = headOf(logits, 1, 65536);
    EXPECT_NEAR(head.loss, 20, 2e-5);
    const tensor::Tensor gradient = onDevice(device(), dtype(), head.dlogits);
    const tensor::Tensor unscaled = device().allocate(DType::Float32, gradient.shape);
    EXPECT_EQ(device().unscale(gradient, 65536, unscaled), dtype() != DType::Float16);
}

INSTANTIATE_TEST_SUITE_P(Cpu, CrossEntropyTable, everyDType(), dtypeName);

class CrossEntropyOfANetwork : public testing::TestWithParam<precision::Policy> {};

TEST_P(CrossEntropyOfANetwork, IsFiniteWithALastLayerAHundredTimesTooLarge) {
    for (const std::int64_t batch : {1, 4}) {
        ConvnetCase drawn = drawConvnetCase(3, batch, 16);
        drawn.weights["dense/kernel"] = scaled(drawn.weights["dense/kernel"], 100);
        const train::SingleStepOutput step = train::singleStep(makeTestBackend(2), stepInput(drawn, GetParam()));
        EXPECT_TRUE(std::isfinite(step.loss)) << batch;
        EXPECT_GT(*std::max_element(step.logits.values.begin(), step.logits.values.end()), 5) << "too small to tell";
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, CrossEntropyOfANetwork, testing::ValuesIn(precision::kPolicies),
                         [](const testing::TestParamInfo<precision::Policy>& policy) {
                             return std::string(precision::traitsOf(policy.param).name);
                         });

} // namespace
} // namespace halfstep::support
