#pragma once
#include "engine/backend/cpu/fft/fft_kernels.h"
#include <cstddef>

namespace halfstep::backend::cpu {

/// Where the spectra [bin][row][group of 16 channels][re 16 | im 16] of some tiles lie; a row is a tile of an image.
///
/// In float16 every row has a power of two as factor for each group: a value is what is stored times its factor.
struct FftSpectra {
    bool half = false;
    std::size_t bins = 0, count = 0, groups = 0;
    std::size_t rowStride = 0, binStride = 0; ///< elements
    std::byte* data = nullptr;
    float* factors = nullptr; ///< [count][groups]; null for float32

    /// Without memory; `bytes` says how much it wants.
    static FftSpectra layout(bool half, std::size_t bins, std::size_t count, std::size_t groups);
    std::size_t bytes() const { return valueBytes() + (half ? count * groups * sizeof(float) : 0); }
    /// The same in memory of so many bytes, aligned to 64.
    FftSpectra in(void* memory) const;

    void* at(std::size_t bin, std::size_t row, std::size_t group) const {
        return data + (bin * binStride + row * rowStride + group * kFftLine) * elementBytes();
    }
    float factorOf(std::size_t row, std::size_t group) const { return half ? factors[row * groups + group] : 1.0f; }

private:
    std::size_t elementBytes() const { return half ? 2 : 4; }
    std::size_t valueBytes() const { return bins * binStride * elementBytes(); }
};

} // namespace halfstep::backend::cpu
