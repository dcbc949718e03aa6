#include "engine/precision/loss_scaler.h"
#include "engine/precision/number_format.h"
#include "engine/precision/policy_warnings.h"
#include "engine/precision/round_to.h"
#include "engine/precision/roundings.h"
#include "tests/support/rounding.h"
#include <cmath>
#include <gmock/gmock.h>

namespace halfstep::precision {
namespace {
using tensor::DType;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Policies, AreFoundByTheirNames) {
    for (const Policy policy : kPolicies) {
        EXPECT_EQ(policyNamed(traitsOf(policy).name), policy);
        EXPECT_FALSE(traitsOf(policy).summary.empty());
    }
    EXPECT_FALSE(policyNamed("float8").has_value());
}

/// What the design says of a tensor under a policy: its dtype and whether the store rounds.
DType storedBy(Policy policy, StepTensor tensor) {
    return roundingOf(traitsOf(policy), tensor).stored;
}

TEST(Roundings, UnderFloat32NothingIsRounded) {
    for (const StepTensor tensor : kStepTensors) {
        const Rounding rounding = roundingOf(traitsOf(Policy::Float32), tensor);
        EXPECT_EQ(rounding.stored, DType::Float32) << rounding.name;
        EXPECT_FALSE(rounding.rounded) << rounding.name;
        EXPECT_EQ(rounding.where, "not rounded");
    }
}

TEST(Roundings, AMixedPolicyKeepsVariablesStatisticsLossAndOptimizerInFloat32) {
    for (const Policy policy : {Policy::MixedFloat16, Policy::MixedBFloat16}) {
        const DType h = traitsOf(policy).computeDType;
        for (const StepTensor tensor :
             {StepTensor::Variable, StepTensor::NormalizationCopy, StepTensor::BatchStatistics, StepTensor::Loss,
              StepTensor::UnscaledGradient, StepTensor::OptimizerState, StepTensor::MovingAverage}) {
            EXPECT_EQ(storedBy(policy, tensor), DType::Float32) << roundingOf(traitsOf(policy), tensor).name;
        }
        for (const StepTensor tensor :
             {StepTensor::WeightCopy, StepTensor::Images, StepTensor::ConvolutionOutput,
              StepTensor::NormalizationOutput, StepTensor::PooledOutput, StepTensor::Logits, StepTensor::LossGradient,
              StepTensor::ActivationGradient, StepTensor::VariableGradient}) {
            EXPECT_EQ(storedBy(policy, tensor), h) << roundingOf(traitsOf(policy), tensor).name;
        }
    }
}

TEST(Roundings, APurePolicyKeepsOnlyWhatNormalizationAndLossComputeWithInFloat32) {
    for (const Policy policy : {Policy::Float16, Policy::BFloat16}) {
        for (const StepTensor tensor : kStepTensors) {
            const bool wide = tensor == StepTensor::NormalizationCopy || tensor == StepTensor::BatchStatistics ||
                              tensor == StepTensor::Loss;
            EXPECT_EQ(storedBy(policy, tensor), wide ? DType::Float32 : traitsOf(policy).variableDType)
                << roundingOf(traitsOf(policy), tensor).name;
        }
    }
}

TEST(Roundings, WhatIsRoundedSaysWhere) {
    for (const Policy policy : kPolicies) {
        for (const StepTensor tensor : kStepTensors) {
            const Rounding rounding = roundingOf(traitsOf(policy), tensor);
            const bool itself = tensor == StepTensor::WeightCopy && hasNarrowVariables(traitsOf(policy));
            EXPECT_EQ(rounding.rounded, rounding.stored != DType::Float32 && !itself);
            EXPECT_EQ(rounding.rounded, rounding.where != "not rounded") << rounding.name;
            EXPECT_EQ(rounding.computed, DType::Float32);
        }
    }
}

TEST(RoundTo, IsTheFormatsRounding) {
    for (const DType dtype : {DType::Float32, DType::Float16, DType::BFloat16}) {
        for (const float value : {1e-8F, 1e-7F, 0.1F, 1.0009F, 65519.0F, 65520.0F, -3.3e38F}) {
            EXPECT_EQ(static_cast<double>(roundTo(dtype, value)), support::roundTo(dtype, static_cast<double>(value)))
                << tensor::nameOf(dtype) << " " << value;
        }
    }
}

TEST(PolicyWarnings, PoliciesWithFloat32WeightsHaveNone) {
    for (const Policy policy : {Policy::Float32, Policy::MixedFloat16, Policy::MixedBFloat16}) {
        EXPECT_THAT(warningsOf(policy, AdamConstants{}), IsEmpty());
    }
}

TEST(PolicyWarnings, Float16SaysWhatBecomesOfAdam) {
    EXPECT_THAT(warningsOf(Policy::Float16, AdamConstants{.epsilon = 1e-8}),
                Contains(HasSubstr("epsilon 1e-08 rounds to 0 in float16 (smallest is 5.96e-08)")));
    const auto keras = warningsOf(Policy::Float16, AdamConstants{});
    EXPECT_THAT(keras, Contains(HasSubstr("epsilon 1e-07 becomes 1.19e-07 in float16")));
    // (1 - beta2) g^2 reaches half of the smallest number, 2^-25, at g = sqrt(2.98e-8 / 0.001) = 0.0055.
    EXPECT_THAT(keras, Contains(HasSubstr("stays 0 for gradients up to 0.0055")));
    EXPECT_THAT(keras, Contains(HasSubstr("gradients up to 2.98e-08 become 0")));
    EXPECT_THAT(keras, Contains(HasSubstr("an update below 0.00024 of its weight is lost"))); // 2^-12
    EXPECT_THAT(keras, Not(Contains(HasSubstr("never decays"))));
}

TEST(PolicyWarnings, BFloat16SaysThatTheSecondMomentNeverDecays) {
    const auto warnings = warningsOf(Policy::BFloat16, AdamConstants{});
    EXPECT_THAT(warnings, Contains(HasSubstr("never decays: 0.001"))); // half a unit is 2^-9 = 0.00195 at least
    EXPECT_THAT(warnings, Contains(HasSubstr("an update below 0.002 of its weight is lost")));
    EXPECT_THAT(warnings, Not(Contains(HasSubstr("epsilon"))));
    EXPECT_THAT(warningsOf(Policy::BFloat16, AdamConstants{.beta2 = 0.99}), Not(Contains(HasSubstr("never decays"))));
}

TEST(PolicyWarnings, WithoutAdamOnlyTheWeightsAndGradientsAreAtRisk) {
    EXPECT_THAT(warningsOf(Policy::Float16, std::nullopt), testing::SizeIs(2));
    EXPECT_THAT(warningsOf(Policy::BFloat16, std::nullopt), testing::SizeIs(1));
}

TEST(LossScaling, NamesAreReadBack) {
    for (const LossScaling scaling :
         {LossScaling::Auto, LossScaling::Dynamic, LossScaling::Fixed, LossScaling::Off}) {
        EXPECT_EQ(lossScalingNamed(nameOf(scaling)), scaling);
    }
    for (const LossScaleRule rule : {LossScaleRule::Keras, LossScaleRule::PyTorch}) {
        EXPECT_EQ(lossScaleRuleNamed(nameOf(rule)), rule);
    }
    EXPECT_FALSE(lossScalingNamed("sometimes").has_value());
    EXPECT_FALSE(lossScaleRuleNamed("jax").has_value());
}

TEST(LossScaling, RulesStartWhereKerasAndPyTorchStart) {
    EXPECT_EQ(defaultsOf(LossScaleRule::Keras).initialScale, 0x1p15);
    EXPECT_EQ(defaultsOf(LossScaleRule::PyTorch).initialScale, 0x1p16);
    for (const LossScaleRule rule : {LossScaleRule::Keras, LossScaleRule::PyTorch}) {
        EXPECT_EQ(defaultsOf(rule).growthFactor, 2);
        EXPECT_EQ(defaultsOf(rule).backoffFactor, 0.5);
        EXPECT_EQ(defaultsOf(rule).growthInterval, 2000);
        EXPECT_TRUE(defaultsOf(rule).dynamic);
    }
}

TEST(LossScaling, AFixedScaleNeverMovesButCountsSkips) {
    LossScaler scaler({.initialScale = 1024, .growthInterval = 2, .dynamic = false});
    for (int i = 0; i < 5; ++i) {
        scaler.update(true);
    }
    EXPECT_EQ(scaler.scale(), 1024);
    scaler.update(false);
    EXPECT_EQ(scaler.scale(), 1024);
    EXPECT_EQ(scaler.skippedSteps(), 1);
    EXPECT_EQ(scaler.skippedStreak(), 1);
}

TEST(LossScaling, StatesDifferIfOneOfTheirNumbersDoes) {
    using State = LossScaler::State;
    const State state{.scale = 4, .finiteStreak = 3, .skippedSteps = 2, .skippedStreak = 1};
    for (const State& other : {State{5, 3, 2, 1}, State{4, 0, 2, 1}, State{4, 3, 0, 1}, State{4, 3, 2, 0}}) {
        EXPECT_NE(state, other);
    }
}

TEST(LossScaling, AStateThatIsRestoredGoesOnAlike) {
    LossScaler first({.growthInterval = 3});
    for (const bool finite : {true, false, true, true}) {
        first.update(finite);
    }
    LossScaler second({.growthInterval = 3});
    second.restore(first.state());
    EXPECT_EQ(second.state(), first.state());
    first.update(true);
    second.update(true);
    EXPECT_EQ(second.scale(), 32768); // halved once, doubled on the third in a row
    EXPECT_EQ(second.state(), first.state());
}

} // namespace
} // namespace halfstep::precision
