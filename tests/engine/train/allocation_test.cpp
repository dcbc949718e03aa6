// Counts every `operator new` of the process, so it stands in a program of its own.
#include "engine/tensor/random.h"
#include "engine/train/training_step.h"
#include "tests/engine/train/watched_new.h"
#include <atomic>
#include <gtest/gtest.h>

namespace {

std::atomic<bool> counting = false;
std::atomic<std::int64_t> allocations = 0;

bool count() {
    allocations += counting ? 1 : 0;
    return true;
}

} // namespace

namespace halfstep::tests {
namespace {

class Allocation : public testing::TestWithParam<precision::Policy> {};

TEST(AllocationCount, SeesEveryNew) {
    watchAllocations(count);
    counting = true;
    ::operator delete(::operator new(8));
    counting = false;
    EXPECT_EQ(allocations.exchange(0), 1);
}

TEST_P(Allocation, TheThirdStepAllocatesNothing) {
    watchAllocations(count);
    // One thread: a worker's scratch for convolutions is made when the worker takes its first task, and which takes
    // which is left to chance.
    const auto device = backend::makeBackend({.threads = 1, .convolution = "fft"});
    nn::ConvNet network(device, {.policy = GetParam(), .height = 32, .width = 32, .classes = 10, .batchCapacity = 4});
    const auto optimizer = optim::makeAdam(device, network.variables(), {});
    precision::LossScaler scaler({.initialScale = 1024});
    train::TrainingStep step(*device, network, *optimizer, &scaler);
    network.initialize(5);
    std::vector<std::uint8_t> images(4 * 32 * 32 * 3);
    tensor::Random random(11);
    for (std::uint8_t& value : images) {
        value = static_cast<std::uint8_t>(random.below(256));
    }
    const std::vector<std::int64_t> labels{0, 3, 7, 9};
    std::uint64_t peak = 0;
    for (int i = 1; i <= 3; ++i) {
        allocations = 0;
        peak = device->peakBytes();
        counting = true;
        device->normalizeImages(images, network.input(4));
        const train::StepOutcome outcome = step.run(labels);
        counting = false;
        EXPECT_TRUE(outcome.gradientsFinite);
    }
    EXPECT_EQ(allocations, 0);
    EXPECT_EQ(device->peakBytes(), peak);
}

INSTANTIATE_TEST_SUITE_P(Policies, Allocation, testing::ValuesIn(precision::kPolicies),
                         [](const auto& policy) { return std::string(precision::traitsOf(policy.param).name); });

} // namespace
} // namespace halfstep::tests
