// Memory of a card: what is given, what is refused, and what a rehearsal foresees.
#include "engine/tensor/error.h"
#include "tests/engine/cuda/stand_in_card.h"
#include "tests/support/device_arrays.h"
#include <gmock/gmock.h>

namespace halfstep::support {
namespace {

using backend::cuda::DeviceMemory;
using backend::cuda::DeviceScratch;
using tensor::DType;
using testing::AllOf;
using testing::HasSubstr;

std::string refusalOf(const DeviceMemory& memory, std::size_t bytes) {
    try {
        memory.allocate(bytes, "a test");
    } catch (const OutOfMemoryError& error) {
        return error.what();
    }
    return "";
}

TEST(CardMemory, TheLimitHoldsAndSaysWhatIsFree) {
    const DeviceMemory memory(standInCard(), 4 << 20);
    const auto held = memory.allocate(3 << 20, "a test");
    EXPECT_EQ(memory.heldBytes(), 3U << 20);
    EXPECT_EQ(memory.freeBytes(), 1U << 20);
    EXPECT_THAT(refusalOf(memory, 2 << 20), AllOf(HasSubstr("a test wants 2.0 MiB"), HasSubstr("limit of 4.0 MiB"),
                                                  HasSubstr("1.0 MiB are free")));
    EXPECT_EQ(memory.heldBytes(), 3U << 20);
    EXPECT_EQ(memory.peakBytes(), 3U << 20) << "what was refused was never held";
}

TEST(CardMemory, WhatTheCardRefusesIsNotCounted) {
    const DeviceMemory memory(standInCard(), std::nullopt);
    EXPECT_THAT(refusalOf(memory, std::size_t{2} << 30),
                AllOf(HasSubstr("a test wanted"), HasSubstr("Stand-in card"), HasSubstr("are free")));
    EXPECT_EQ(memory.heldBytes(), 0U);
    EXPECT_EQ(memory.peakBytes(), 0U);
    EXPECT_NE(memory.allocate(1 << 20, "a test"), nullptr) << "the card goes on";
}

TEST(CardMemory, WhatIsGivenBackIsFreeAgain) {
    const DeviceMemory memory(standInCard(), std::nullopt);
    const std::uint64_t before = memory.freeBytes();
    memory.allocate(1 << 20, "a test");
    EXPECT_EQ(memory.heldBytes(), 0U);
    EXPECT_EQ(memory.peakBytes(), 1U << 20);
    EXPECT_EQ(memory.freeBytes(), before);
}

TEST(CardMemory, TensorsThatAreOnlyCountedAreToldApart) {
    const DeviceMemory counted(nullptr, std::nullopt);
    const auto a = counted.allocate(1, "a test"), b = counted.allocate(1, "a test");
    EXPECT_NE(a, b);
}

TEST(CardMemory, ScratchGrowsToTheHungriestAndIsOneBlock) {
    const auto card = standInCard();
    const DeviceMemory memory(card, 1 << 20);
    DeviceScratch scratch(card, memory);
    std::byte* const small = scratch.reserve(256);
    EXPECT_EQ(scratch.reserve(128), small);
    scratch.reserve(4096);
    EXPECT_EQ(memory.heldBytes(), 4096U);
    EXPECT_THROW(scratch.reserve(2 << 20), OutOfMemoryError);
    EXPECT_NE(scratch.reserve(256), nullptr) << "usable after a refusal";
}

TEST(CardMemory, ATensorThatNothingCanAddressIsRefused) {
    const auto device = standInBackend();
    EXPECT_THROW(device->allocate(DType::Float32, {std::int64_t{1} << 40, 1 << 20, 8, 1}), OutOfMemoryError);
}

/// The verbs that need scratch memory; what they compute is the other suites' affair.
void exercise(backend::Backend& device, DType dtype) {
    const tensor::Tensor images = device.allocate(dtype, {2, 7, 5, 3});
    device.normalizeImages(std::vector<std::uint8_t>(210, 128), images);
    std::vector<float> values(210, 1.0F);
    device.download(images, values);
    device.upload(values, images);
    device.exponents(images);
    const tensor::Tensor m = device.allocate(dtype, {33}), v = device.allocate(dtype, {33});
    const tensor::Tensor w = device.allocate(dtype, {33}), g = device.allocate(dtype, {33});
    device.unscale(g, 2, g);
    device.adam(g, {}, 1, m, v, w);
    device.sgd(g, 0.1, w);
}

TEST(CardMemory, ARehearsalTakesWhatTheCardTakes) {
    for (const DType dtype : {DType::Float32, DType::Float16, DType::BFloat16}) {
        const auto device = standInBackend();
        const auto rehearsal = device->rehearsal();
        exercise(*device, dtype);
        exercise(*rehearsal, dtype);
        EXPECT_EQ(rehearsal->peakBytes(), device->peakBytes()) << nameOf(dtype);
        EXPECT_GT(device->peakBytes(), 0U);
    }
}

} // namespace
} // namespace halfstep::support
