#pragma once
#include <array>
#include <cstddef>

namespace halfstep::backend::cpu {

/// Filters come in groups of so many.
inline constexpr std::size_t kNarrowGroup = 16;
/// The most rows that a kernel of a narrow convolution has.
inline constexpr std::size_t kNarrowMaximumRows = 11;

/// Some pixels of one output row. All taps of one kernel row lie side by side in a row of the image: kernel columns
/// times channels, and the next output pixel's begin `pixelStride` floats later.
///
///   y[pixel][filter] = relu(bias[filter] + sum over row < rowCount and tap < taps of
///                           rows[row][pixel * pixelStride + tap] * weights[row][tap][filter])
///
/// NaN stays NaN.
struct NarrowStrip {
    std::array<const float*, kNarrowMaximumRows> rows{};
    std::size_t rowCount = 0, taps = 0, pixelStride = 0, filters = 0;
    const float* weights = nullptr;
    const float* bias = nullptr;
    std::size_t pixels = 0; ///< from 1 to NarrowKernels::pixels
    void* y = nullptr;
};

/// What some pixels of one output row add to the gradients of one kernel row.
///
///   sums[tap][filter] += sum over pixels of row[pixel * pixelStride + tap] * dy[pixel][filter]
struct NarrowCorrelation {
    const float* row = nullptr;
    std::size_t pixelStride = 0, pixels = 0, taps = 0, filters = 0;
    const float* dy = nullptr;
    float* sums = nullptr;
};

/// The inner loops of NarrowConvolution, in float32 arithmetic and on one thread.
struct NarrowKernels {
    std::size_t pixels = 0;                                      ///< of the longest strip
    std::array<void (*)(const NarrowStrip& strip), 3> forward{}; ///< by the DType of y
    void (*correlate)(const NarrowCorrelation& correlation) = nullptr;
};

} // namespace halfstep::backend::cpu
