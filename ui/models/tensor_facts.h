#pragma once
#include "engine/tensor/dtype.h"
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace halfstep::ui {

/// One channel of a picture as the network sees it, values 0 to 1 (uint8 / 255).
struct ChannelFacts {
    double mean = 0;
    double deviation = 0; ///< standard deviation
    double minimum = 0;
    double maximum = 0;
    std::array<std::int64_t, 256> histogram{}; ///< pixels with each 8-bit value
};

/// R, G, B of [height, width, 3] pixels; at least one pixel.
std::array<ChannelFacts, 3> channelFactsOf(std::span<const std::uint8_t> pixels);

/// What `dtype` stores of the 8-bit value: value / 255 in float32, rounded to the dtype.
float storedValue(std::uint8_t value, tensor::DType dtype);

/// How far the stored values of a picture lie from value / 255 in float32.
struct StorageDifference {
    double largest = 0; ///< absolute
    double rms = 0;
};

StorageDifference storageDifferenceOf(std::span<const std::uint8_t> pixels, tensor::DType dtype);

/// The gain at which the largest difference that `dtype` can make of a picture just fills the range of a channel:
/// half a unit in the last place below 1, times this, is 0.5.
int differenceGain(tensor::DType dtype);

/// The picture of the difference, [height, width, 3]: 0.5 + gain x (stored - exact), so that grey means none.
std::vector<std::uint8_t> amplifiedDifference(std::span<const std::uint8_t> pixels, tensor::DType dtype, int gain);

} // namespace halfstep::ui
