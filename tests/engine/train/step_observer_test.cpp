#include "engine/precision/roundings.h"
#include "engine/tensor/random.h"
#include "engine/train/numerics_observer.h"
#include "engine/train/training_step.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace halfstep::tests {
namespace {
using precision::Policy;
using precision::StepTensor;
using tensor::DType;
using values::Pass;
using values::TensorNumerics;
using values::TensorRole;

const std::vector<std::int64_t> kLabels{0, 3, 7, 9};

/// One step of a small network, observed.
struct ObservedStep {
    std::shared_ptr<backend::Backend> device = backend::makeBackend({.threads = 2});
    nn::ConvNet network;
    std::unique_ptr<optim::Optimizer> optimizer;
    precision::LossScaler scaler;
    train::TrainingStep step;
    train::NumericsObserver observer;

    ObservedStep(Policy policy, double lossScale)
        : network(device, {.policy = policy, .height = 32, .width = 32, .classes = 10, .batchCapacity = 4}),
          optimizer(optim::makeAdam(device, network.variables(), {})),
          scaler({.initialScale = lossScale}),
          step(*device, network, *optimizer, &scaler),
          observer(*device) {
        network.initialize(5);
        std::vector<std::uint8_t> images(4 * 32 * 32 * 3);
        tensor::Random random(11);
        for (std::uint8_t& value : images) {
            value = static_cast<std::uint8_t>(random.below(256));
        }
        device->normalizeImages(images, network.input(4));
    }

    values::NumericsRecord record() {
        step.run(kLabels, &observer);
        return observer.take(1, scaler.scale());
    }
};

class EveryPolicyObserved : public testing::TestWithParam<Policy> {};

const TensorNumerics& find(const values::NumericsRecord& record, const std::string& layer, const std::string& name) {
    const auto found = std::ranges::find_if(
        record.tensors, [&](const TensorNumerics& tensor) { return tensor.layer == layer && tensor.tensor == name; });
    EXPECT_NE(found, record.tensors.end()) << layer << " " << name;
    return *found;
}

TEST_P(EveryPolicyObserved, EveryTensorIsSeenOnceInTheOrderOfTheStep) {
    const values::NumericsRecord record = ObservedStep(GetParam(), 1024).record();
    // 20 variables, images, 3 x 2 outputs, pooling, logits; loss, pooling, 3 x 2 output gradients, 14 of variables.
    EXPECT_EQ(record.tensors.size(), 20U + 9U + 8U + 14U);
    std::set<std::string> names;
    for (const TensorNumerics& tensor : record.tensors) {
        EXPECT_TRUE(names.insert(tensor.layer + " " + tensor.tensor).second) << tensor.layer << " " << tensor.tensor;
        const tensor::ExponentHistogram& histogram = tensor.histogram;
        std::int64_t counted = histogram.zeros + histogram.nonFinite();
        for (const std::int64_t count : histogram.counts) {
            counted += count;
        }
        EXPECT_EQ(counted, tensor.elements);
        EXPECT_EQ(histogram.nonFinite(), 0) << tensor.layer << " " << tensor.tensor;
    }
    EXPECT_TRUE(std::ranges::is_sorted(record.tensors, {}, &TensorNumerics::pass));
    EXPECT_EQ(record.tensors.front().role, TensorRole::Weight);
    EXPECT_EQ(record.tensors.back().tensor, "bias gradient");
    EXPECT_EQ(record.tensors.back().layer, "conv2d");
}

TEST_P(EveryPolicyObserved, WhatIsStoredIsWhatTheTableOfRoundingsSays) {
    const values::NumericsRecord record = ObservedStep(GetParam(), 1024).record();
    const auto expectStored = [&](const std::string& layer, const std::string& name, StepTensor kind) {
        EXPECT_EQ(find(record, layer, name).dtype, roundingOf(precision::traitsOf(GetParam()), kind).stored)
            << layer << " " << name;
    };
    expectStored("input", "images", StepTensor::Images);
    expectStored("global_average_pooling2d", "output", StepTensor::PooledOutput);
    expectStored("dense", "logits", StepTensor::Logits);
    expectStored("loss", "logits gradient", StepTensor::LossGradient);
    expectStored("global_average_pooling2d", "output gradient", StepTensor::ActivationGradient);
    for (const std::string number : {"", "_1", "_2"}) {
        expectStored("conv2d" + number, "kernel", StepTensor::Variable);
        expectStored("batch_normalization" + number, "gamma", StepTensor::Variable);
        expectStored("batch_normalization" + number, "moving_mean", StepTensor::MovingAverage);
        expectStored("conv2d" + number, "output", StepTensor::ConvolutionOutput);
        expectStored("batch_normalization" + number, "output", StepTensor::NormalizationOutput);
        expectStored("conv2d" + number, "output gradient", StepTensor::ActivationGradient);
        expectStored("batch_normalization" + number, "output gradient", StepTensor::ActivationGradient);
        expectStored("conv2d" + number, "kernel gradient", StepTensor::VariableGradient);
        expectStored("batch_normalization" + number, "beta gradient", StepTensor::VariableGradient);
    }
}

TEST_P(EveryPolicyObserved, VariablesAndOptimizerStateAreStoredAsTheTableSays) {
    ObservedStep bench(GetParam(), 1024);
    const precision::PolicyTraits& traits = precision::traitsOf(GetParam());
    for (const nn::Variable& variable : bench.network.variables()) {
        const bool normalization = variable.name.starts_with("batch_normalization");
        EXPECT_EQ(variable.compute.dtype,
                  roundingOf(traits, normalization ? StepTensor::NormalizationCopy : StepTensor::WeightCopy).stored)
            << variable.name;
        if (variable.trainable) {
            EXPECT_EQ(variable.unscaledGradient.dtype, roundingOf(traits, StepTensor::UnscaledGradient).stored);
        }
    }
    for (const optim::NamedState& state : bench.optimizer->state()) {
        EXPECT_EQ(state.tensor.dtype, roundingOf(traits, StepTensor::OptimizerState).stored) << state.name;
    }
}

TEST_P(EveryPolicyObserved, LookingChangesNothing) {
    ObservedStep watched(GetParam(), 1024), alone(GetParam(), 1024);
    for (int i = 0; i < 3; ++i) {
        const train::StepOutcome one = watched.step.run(kLabels, &watched.observer);
        const train::StepOutcome other = alone.step.run(kLabels);
        EXPECT_EQ(one.lossSum, other.lossSum);
        EXPECT_EQ(one.updates, other.updates);
    }
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicyObserved, testing::ValuesIn(precision::kPolicies),
                         [](const auto& policy) { return std::string(precision::traitsOf(policy.param).name); });

TEST(StepObserver, GradientsCarryTheLossScale) {
    const auto plain = ObservedStep(Policy::Float32, 1).record();
    const auto scaled = ObservedStep(Policy::Float32, 1024).record();
    const auto& before = find(plain, "conv2d_2", "kernel gradient").histogram;
    const auto& after = find(scaled, "conv2d_2", "kernel gradient").histogram;
    EXPECT_EQ(after.largest, before.largest * 1024);
    EXPECT_EQ(after.zeros, before.zeros);
    EXPECT_EQ(find(scaled, "conv2d_2", "output").histogram, find(plain, "conv2d_2", "output").histogram);
}

TEST(StepObserver, TheFirstNonFiniteTensorIsTheOneThatIsMadeFirst) {
    // Float16 ends at 65504: a convolution's output beyond it is infinite while its operands are not.
    ObservedStep bench(Policy::MixedFloat16, 1);
    for (nn::Variable& variable : bench.network.variables()) {
        if (variable.name == "conv2d_1/bias") {
            const std::vector<float> large(64, 60000.0F);
            bench.device->upload(large, variable.value);
        } else if (variable.name == "conv2d_1/kernel") {
            const std::vector<float> large(static_cast<std::size_t>(variable.value.count()), 1000.0F);
            bench.device->upload(large, variable.value);
        }
    }
    EXPECT_EQ(bench.step.run(kLabels).firstNonFinite, "conv2d_1 output (forward)");
    // An infinite weight is found before what it spoils.
    for (nn::Variable& variable : bench.network.variables()) {
        if (variable.name == "batch_normalization/beta") {
            const std::vector<float> infinite(32, HUGE_VALF);
            bench.device->upload(infinite, variable.value);
        }
    }
    EXPECT_EQ(bench.step.run(kLabels).firstNonFinite, "batch_normalization beta (forward)");
}

} // namespace
} // namespace halfstep::tests
