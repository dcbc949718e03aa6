// Cases A02 and A03: what 16 bits do to Adam's epsilon and to small updates happens only where the policy keeps its
// variables in 16 bits, and is said.
#include "engine/optim/optimizer.h"
#include "engine/precision/policy_warnings.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/csv_table.h"
#include "tests/support/device_arrays.h"
#include "tests/support/rounding.h"
#include <cmath>
#include <gmock/gmock.h>

namespace halfstep::support {
namespace {
using precision::Policy;

class NarrowWeightsTable : public testing::TestWithParam<Policy> {
protected:
    static constexpr std::int64_t kCount = 19; // equal weights: vectors and a tail

    DType variableDType() const { return precision::traitsOf(GetParam()).variableDType; }
    bool narrow() const { return precision::hasNarrowVariables(precision::traitsOf(GetParam())); }

    /// One variable of the policy, with the gradient that it gets in every step.
    std::deque<nn::Variable> variable(double start, double gradient) const {
        std::deque<nn::Variable> variables(1);
        variables[0].name = "w";
        variables[0].value = onDevice(*m_device, variableDType(), filled({kCount}, start));
        variables[0].unscaledGradient = onDevice(*m_device, variableDType(), filled({kCount}, gradient));
        return variables;
    }

    /// The weight, which must be the same at every place.
    double weight(const std::deque<nn::Variable>& variables) const {
        const Array values = fromDevice(*m_device, variables[0].value);
        for (const double value : values.values) {
            EXPECT_TRUE(value == values[0] || (std::isnan(value) && std::isnan(values[0])));
        }
        return values[0];
    }

    std::shared_ptr<backend::Backend> m_device = makeTestBackend(1);
};

double gradientOf(const std::string& text) {
    return text == "0,0,0" ? 0.0 : std::stod(text); // "1e-3 const"
}

/// PyTorch divides by the bias correction before it adds epsilon. In Keras' formula that is a smaller epsilon,
/// another one in each step.
double kerasEpsilon(const std::string& formula, double epsilon, int step) {
    return formula == "torch" ? epsilon * std::sqrt(1 - std::pow(0.999, step)) : epsilon;
}

TEST_P(NarrowWeightsTable, AdamFollowsTheRightColumnsInFloat32AndMovesNothingWithoutAGradient) {
    const CsvTable table("regression/tables/adam_fp16.csv");
    std::deque<nn::Variable> variables;
    tensor::Tensor m, v;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double gradient = gradientOf(table.text(row, "gradients"));
        const int step = static_cast<int>(table.number(row, "step"));
        if (step == 1) {
            variables = variable(1.0, gradient);
            m = m_device->allocate(variableDType(), {kCount});
            v = m_device->allocate(variableDType(), {kCount});
        }
        const double epsilon = kerasEpsilon(table.text(row, "formula"), table.number(row, "epsilon"), step);
        m_device->adam(variables[0].unscaledGradient,
                       {.learningRate = table.number(row, "lr"), .epsilon = roundTo(variableDType(), epsilon)}, step,
                       m, v, variables[0].value);
        const double got = weight(variables);
        SCOPED_TRACE(table.text(row, "formula") + ", gradients " + table.text(row, "gradients") + ", step " +
                     std::to_string(step));
        if (gradient == 0) {
            EXPECT_EQ(got, 1.0);
        } else if (narrow()) { // wrong by design, but bounded: neither 0 / 0 nor a division by epsilon alone
            EXPECT_NEAR(got, table.number(row, "right_weight"), 0.001 * step + stepAt(variableDType(), 1.0));
        } else {
            EXPECT_NEAR(got, table.number(row, "right_weight"), 6e-8 * step); // a rounding of w in each step
        }
    }
}

TEST_P(NarrowWeightsTable, ALostEpsilonIsSaidBeforeTheRun) {
    const auto sentences = precision::warningsOf(GetParam(), precision::AdamConstants{.epsilon = 1e-8});
    const auto toldOfEpsilon = testing::Contains(testing::HasSubstr("rounds to 0 in float16"));
    if (GetParam() == Policy::Float16) {
        EXPECT_THAT(sentences, toldOfEpsilon);
    } else {
        EXPECT_THAT(sentences, testing::Not(toldOfEpsilon));
    }
    EXPECT_EQ(sentences.empty(), !narrow());
}

TEST_P(NarrowWeightsTable, SmallUpdatesAreLostOnlyIn16BitVariablesAndAreCounted) {
    const CsvTable table("regression/tables/update_lost.csv");
    const char* column = "float32_or_mixed_master";
    if (narrow()) {
        column = variableDType() == DType::Float16 ? "pure_fp16" : "pure_bf16";
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double start = table.number(row, "start_weight");
        const std::deque<nn::Variable> variables = variable(start, table.number(row, "update_per_step"));
        const auto optimizer = optim::makeSgd(m_device, variables, 1.0);
        const auto steps = static_cast<std::int64_t>(table.number(row, "steps"));
        backend::UpdateCounts counts;
        for (std::int64_t step = 0; step < steps; ++step) {
            counts += optimizer->apply();
        }
        SCOPED_TRACE(table.text(row, "start_weight") + " - " + table.text(row, "steps") + " x " +
                     table.text(row, "update_per_step"));
        EXPECT_EQ(weight(variables), table.number(row, column));
        EXPECT_EQ(counts.wanted, steps * kCount);
        const bool stood = weight(variables) == roundTo(variableDType(), start);
        EXPECT_EQ(counts.lost, stood ? steps * kCount : 0) << "all or none of these updates are lost";
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, NarrowWeightsTable, testing::ValuesIn(precision::kPolicies),
                         [](const testing::TestParamInfo<Policy>& policy) {
                             return std::string(precision::traitsOf(policy.param).name);
                         });

} // namespace
} // namespace halfstep::support
