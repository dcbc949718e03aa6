#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace halfstep::data {

/// Where a target row or column takes its value from: low + (high - low) * share.
struct Tap {
    int low = 0; ///< index of the source row or column
    int high = 0;
    float share = 0;
};

// The inner loops over pixels, with the best instruction set of this CPU. Every set gives the same bits.

/// One source row [width, 3] stretched to [taps.size(), 3]. Works on four values where three are a pixel: one value
/// behind the end of `row` is read and one behind the end of `out` written, both must have room for it.
void stretchRgbRow(const float* row, std::span<const Tap> taps, float* out);

/// upper + (lower - upper) * share, rounded to the nearest whole number, halves to even. Values are 0 to 255.
void blendAndRound(const float* upper, const float* lower, float share, std::size_t count, std::uint8_t* out);

/// Sums over pixels: whole numbers, so that no order of adding matters.
struct PixelSums {
    std::array<std::uint64_t, 3> sum{};     ///< of R, G, B
    std::array<std::uint64_t, 3> squares{}; ///< of their squares
};

/// Of [n, 3] bytes.
PixelSums sumsOf(std::span<const std::uint8_t> pixels);

} // namespace halfstep::data
