#include "engine/tensor/random.h"
#include "engine/train/training_step.h"
#include <cmath>
#include <gtest/gtest.h>

namespace halfstep::tests {
namespace {

using precision::Policy;

struct Workbench {
    std::shared_ptr<backend::Backend> device = backend::makeBackend({.threads = 2});
    nn::ConvNet network;
    std::unique_ptr<optim::Optimizer> optimizer;
    precision::LossScaler scaler;
    train::TrainingStep step;

    Workbench(Policy policy, double initialScale)
        : network(device, {.policy = policy, .height = 16, .width = 16, .classes = 10, .batchCapacity = 4}),
          optimizer(optim::makeAdam(device, network.variables(), {})),
          scaler({.initialScale = initialScale}),
          step(*device, network, *optimizer, &scaler) {
        network.initialize(5);
        std::vector<std::uint8_t> images(4 * 16 * 16 * 3);
        tensor::Random random(11);
        for (std::uint8_t& value : images) {
            value = static_cast<std::uint8_t>(random.below(256));
        }
        device->normalizeImages(images, network.input(4));
    }

    std::vector<std::vector<float>> variables() {
        std::vector<std::vector<float>> all;
        for (const nn::Variable& variable : network.variables()) {
            device->download(variable.value, all.emplace_back(static_cast<std::size_t>(variable.value.count())));
        }
        return all;
    }
};

const std::vector<std::int64_t> kLabels{0, 3, 7, 9};

TEST(TrainingStep, ASkippedStepChangesNothingButTheLossScale) {
    Workbench bench(Policy::MixedFloat16, 0x1p40);
    const auto before = bench.variables();
    const train::StepOutcome outcome = bench.step.run(kLabels);
    EXPECT_FALSE(outcome.gradientsFinite);
    EXPECT_EQ(outcome.firstNonFinite, "loss logits gradient (backward)"); // 2^40 (p - y) / 4 is above 65504
    EXPECT_EQ(outcome.updates, backend::UpdateCounts());
    EXPECT_TRUE(std::isfinite(outcome.loss));
    EXPECT_EQ(bench.variables(), before);
    EXPECT_EQ(bench.optimizer->iterations(), 0);
    EXPECT_EQ(bench.scaler.scale(), 0x1p39);
}

/// Where gradients and unscaled gradients are one tensor, looking for what is not finite makes them anew.
TEST(TrainingStep, AfterASkippedStepGradientsAreUnscaledAllTheSame) {
    const auto denseBias = [](Workbench& bench) {
        for (const nn::Variable& variable : bench.network.variables()) {
            if (variable.name == "dense/bias") {
                std::vector<float> gradient(static_cast<std::size_t>(variable.value.count()));
                bench.device->download(variable.unscaledGradient, gradient);
                return gradient;
            }
        }
        return std::vector<float>();
    };
    Workbench plain(Policy::Float32, 1), scaled(Policy::Float32, 0x1p127);
    for (Workbench* bench : {&plain, &scaled}) { // large enough that the dense kernel's gradient overflows
        for (const nn::Variable& variable : bench->network.variables()) {
            if (variable.name == "batch_normalization_2/gamma") {
                const std::vector<float> large(static_cast<std::size_t>(variable.value.count()), 1e6f);
                bench->device->upload(large, variable.value);
            }
        }
    }
    EXPECT_TRUE(plain.step.run(kLabels).gradientsFinite);
    const train::StepOutcome outcome = scaled.step.run(kLabels);
    ASSERT_FALSE(outcome.gradientsFinite);
    EXPECT_NE(outcome.firstNonFinite, "");
    const std::vector<float> expected = denseBias(plain), got = denseBias(scaled);
    ASSERT_EQ(expected.size(), 10u);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(got[i], expected[i], 1e-6) << i;
    }
}

TEST(TrainingStep, BeforeTheFirstGrowthTheScaleTellsTheSkips) {
    Workbench bench(Policy::MixedFloat16, 0x1p40);
    int applied = 0;
    for (int i = 0; i < 60; ++i) {
        applied += bench.step.run(kLabels).gradientsFinite ? 1 : 0;
    }
    EXPECT_GT(applied, 0);
    EXPECT_EQ(bench.scaler.scale(), std::ldexp(0x1p40, -static_cast<int>(bench.scaler.skippedSteps())));
    EXPECT_EQ(bench.scaler.skippedSteps() + applied, 60);
    EXPECT_EQ(bench.optimizer->iterations(), applied);
}

TEST(TrainingStep, AnAppliedStepMovesEveryVariable) {
    Workbench bench(Policy::MixedBFloat16, 1);
    const auto before = bench.variables();
    EXPECT_TRUE(bench.step.run(kLabels).gradientsFinite);
    const auto after = bench.variables();
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_NE(after[i], before[i]) << bench.network.variables()[i].name;
    }
}

TEST(TrainingStep, ALossScaleThatIsAPowerOfTwoChangesNoFloat32Gradient) {
    Workbench plain(Policy::Float32, 1);
    Workbench scaled(Policy::Float32, 0x1p15);
    EXPECT_EQ(plain.step.run(kLabels).loss, scaled.step.run(kLabels).loss);
    EXPECT_EQ(plain.variables(), scaled.variables());
}

TEST(TrainingStep, EveryPolicyStartsFromTheSameWeights) {
    EXPECT_EQ(Workbench(Policy::Float32, 1).variables(), Workbench(Policy::MixedFloat16, 1).variables());
}

} // namespace
} // namespace halfstep::tests
