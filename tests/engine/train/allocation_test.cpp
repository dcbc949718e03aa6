// Counts every `operator new` of the process, so it stands in a program of its own.
#include "engine/tensor/random.h"
#include "engine/train/training_step.h"
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

namespace {

std::atomic<bool> counting = false;
std::atomic<std::int64_t> allocations = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
    if (counting) {
        ++allocations;
    }
    void* memory = alignment == 0 ? std::malloc(bytes == 0 ? 1 : bytes)
                                  : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

} // namespace

// The array forms and those that do not throw end up in these.
void* operator new(std::size_t bytes) {
    return counted(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace halfstep::tests {
namespace {

class Allocation : public testing::TestWithParam<precision::Policy> {};

TEST_P(Allocation, TheThirdStepAllocatesNothing) {
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
