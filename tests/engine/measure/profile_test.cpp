// Profiles of real steps: their parts, counts and ceilings (measured_ceilings.cpp).
#include "engine/analysis/fused_operations.h"
#include "engine/backend/backend.h"
#include "engine/measure/part_facts.h"
#include "engine/measure/profile.h"
#include "engine/measure/profiled_training.h"
#include "engine/tensor/error.h"
#include "tests/engine/train/made_dataset.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <gmock/gmock.h>

namespace halfstep::measure {
namespace {

using precision::Policy;
using values::PartKind;
using values::ProfilePart;

values::ExperimentConfig small(Policy policy) {
    values::ExperimentConfig config;
    config.policy = policy;
    config.batchSize = 4;
    config.imageSize = 32;
    config.threads = 2;
    return config;
}

std::shared_ptr<backend::Backend> device() {
    return backend::makeBackend({.device = "cpu", .threads = 2});
}

class EveryPolicyProfiled : public testing::TestWithParam<Policy> {};

/// The clock hears of the operations that are counted, in their order: neither may change without the other.
TEST_P(EveryPolicyProfiled, EveryPartIsCountedAndEveryCountIsAPart) {
    ProfiledTraining training(small(GetParam()), tests::madeDataset(10, 2, 32), device(), 40);
    int whole = 0;
    for (int i = 0; i < 30 && whole < 2; ++i) {
        whole += training.profiled() ? 1 : 0;
    }
    ASSERT_EQ(whole, 2) << "30 steps are more than a loss scale needs on its way down";
    const values::StepProfile profile = training.profile();
    std::vector<std::string> counted{"input wait"}, timed;
    for (const analysis::StepOperation& operation :
         analysis::fusedStepOperations(analysis::stepShapeOf(small(GetParam()), 2))) {
        counted.push_back(operation.layer + " " + operation.operation);
    }
    counted.emplace_back("step other");
    for (const ProfilePart& part : profile.parts) {
        timed.push_back(part.layer + " " + part.operation);
        const bool isCounted = part.layer != "input" && part.layer != "step";
        EXPECT_EQ(part.bytes > 0, isCounted) << timed.back();
    }
    EXPECT_EQ(timed, counted);
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicyProfiled, testing::ValuesIn(precision::kPolicies),
                         [](const auto& policy) { return std::string(precision::traitsOf(policy.param).name); });

TEST(ProfiledTraining, SharesAddUpToOneAndSamplesAreCounted) {
    ProfiledTraining training(small(Policy::Float32), tests::madeDataset(10, 2, 32), device(), 20);
    training.warmUp(true);
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(training.profiled());
        ASSERT_TRUE(training.unprofiled());
    }
    const values::StepProfile profile = training.profile();
    double shares = 0;
    for (const ProfilePart& part : profile.parts) {
        shares += part.share;
        EXPECT_LE(part.milliseconds.q25, part.milliseconds.median);
        EXPECT_LE(part.milliseconds.median, part.milliseconds.q75);
    }
    EXPECT_NEAR(shares, 1, 1e-12);
    EXPECT_EQ(profile.steps, 3);
    EXPECT_EQ(profile.warmUpSteps, 1);
    EXPECT_EQ(profile.classes, 2);
    EXPECT_GT(profile.processorShare, 0);
    // Not how long: only that the parts are of this step, and not of another.
    EXPECT_GT(profile.sumOfParts(), 0);
    EXPECT_LT(profile.sumOfParts(), 3 * profile.profiledStep.q75);
}

/// A clock changes no kernel: the weights come out the same, to the bit.
TEST(ProfiledTraining, TimedStepsAreTheStepsOfATraining) {
    const auto weightsAfter = [](bool timed) {
        const auto onDevice = device();
        train::TrainingState state(small(Policy::MixedFloat16), 2, onDevice);
        train::TrainingStep step(*onDevice, state.network, *state.optimizer, &*state.scaler);
        StepTimer timer;
        std::vector<std::uint8_t> images(4 * 32 * 32 * 3);
        for (std::size_t i = 0; i < images.size(); ++i) {
            images[i] = static_cast<std::uint8_t>(i * 37 % 251);
        }
        const std::vector<std::int64_t> labels{0, 1, 1, 0};
        for (int i = 0; i < 3; ++i) {
            onDevice->normalizeImages(images, state.network.input(4));
            timer.begin();
            timed ? step.runTimed(labels, timer) : step.run(labels);
        }
        std::vector<std::vector<float>> all;
        for (const nn::Variable& variable : state.network.variables()) {
            onDevice->download(variable.value, all.emplace_back(static_cast<std::size_t>(variable.value.count())));
        }
        return all;
    };
    EXPECT_EQ(weightsAfter(true), weightsAfter(false));
}

TEST(PartFacts, AnFftConvolutionHasItsOwnOperationsBesideTheDirectOnes) {
    values::ExperimentConfig config;
    const auto facts = [&](const std::string& convolution) {
        config.convolution = convolution;
        const auto onDevice = backend::makeBackend({.device = "cpu", .threads = 1, .convolution = convolution});
        return partFacts(config, 10, *onDevice);
    };
    for (const ProfilePart& part : facts("fft")) {
        if (part.layer == "conv2d_2") {
            EXPECT_LT(part.flops, part.directFlops / 4) << part.operation;
            EXPECT_GT(part.flops, part.directFlops / 40) << part.operation;
            EXPECT_THAT(part.algorithm, testing::StartsWith("FFT"));
        }
    }
    for (const ProfilePart& part : facts("direct")) {
        EXPECT_EQ(part.flops, part.directFlops) << part.layer << " " << part.operation;
        EXPECT_EQ(part.kind == PartKind::Convolution, part.layer.starts_with("conv2d"));
    }
}

class Profile : public testing::Test {
protected:
    support::TemporaryFolder m_folder;
    train::Places m_places{.cacheFolder = m_folder.path() / "cache"};
};

TEST_F(Profile, OfTwoPoliciesHasTheSamePartsAndNoRunInTheHistory) {
    std::vector<values::DataProgress> told;
    const auto profiles =
        profileSteps({small(Policy::MixedBFloat16), small(Policy::Float32)}, m_places, {.steps = 2, .warmUpSteps = 1},
                     [&](const values::DataProgress& progress) { told.push_back(progress); });
    ASSERT_EQ(profiles.size(), 2U);
    EXPECT_EQ(profiles[0].parts.size(), profiles[1].parts.size() + 1) << "weights are cast in one of them";
    for (const values::StepProfile& profile : profiles) {
        EXPECT_EQ(profile.steps, 2);
        EXPECT_EQ(profile.config.device, "cpu");
        EXPECT_EQ(profile.environment.convolutions.size(), 8U);
        EXPECT_EQ(profile.ceilings.threads, 2);
        EXPECT_EQ(profile.ceilings.isa, profile.environment.isa);
        EXPECT_GT(profile.ceilings.gflops, 0);
        EXPECT_GT(profile.ceilings.memoryGbps(), 0);
    }
    EXPECT_TRUE(std::ranges::any_of(told, [](const auto& progress) { return progress.activity == "Profiling"; }));
    EXPECT_FALSE(std::filesystem::exists(m_folder.path() / "runs.sqlite"));
}

TEST_F(Profile, WrongSettingsAreRefusedBeforeAnything) {
    values::ExperimentConfig config = small(Policy::Float32);
    config.batchSize = 0;
    EXPECT_THROW(profileSteps({config}, m_places, {}), ConfigError);
    EXPECT_THROW(profileSteps({small(Policy::Float32)}, m_places, {.steps = 0}), ConfigError);
    EXPECT_THROW(profileSteps({small(Policy::Float32)}, m_places, {.warmUpSteps = -1}), ConfigError);
    config = small(Policy::Float32);
    config.memoryLimitBytes = 1000;
    EXPECT_THROW(profileSteps({config}, m_places, {}), OutOfMemoryError);
    EXPECT_FALSE(std::filesystem::exists(m_places.cacheFolder)) << "no picture was read";
}

TEST_F(Profile, AStopEndsItAtTheNextStep) {
    std::stop_source stop;
    const auto stopAtThird = [&](const values::DataProgress& progress) {
        if (progress.activity == "Profiling" && progress.done == 3) {
            stop.request_stop();
        }
    };
    EXPECT_THROW(profileSteps({small(Policy::Float32)}, m_places, {.steps = 1000}, stopAtThird, stop.get_token()),
                 Cancelled);
}

} // namespace
} // namespace halfstep::measure
