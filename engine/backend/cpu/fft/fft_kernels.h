#pragma once
#include "engine/tensor/dtype.h"
#include <array>
#include <cstddef>

namespace halfstep::backend::cpu {

/// Channels that lie side by side in every buffer of the FFT convolution: one spectrum value of a group is 16 real
/// and then 16 imaginary parts, two cache lines.
inline constexpr std::size_t kFftGroup = 16;
inline constexpr std::size_t kFftLine = 2 * kFftGroup;
/// Channels in whole groups: what buffers hold of so many. Those behind the real ones are 0.
template <class Count>
constexpr Count fftWhole(Count channels) {
    constexpr auto kGroup = static_cast<Count>(kFftGroup);
    return (channels + kGroup - 1) / kGroup * kGroup;
}

/// Tile sizes that there are transforms for: odd products of two coprime numbers, so that no bin is special and no
/// twiddle factor is needed (Good and Thomas).
inline constexpr std::array<int, 4> kFftTiles{15, 21, 35, 45};
/// The most taps that a kernel has along one axis of one phase.
inline constexpr int kFftMaximumTaps = 11;

/// Number of independent columns of the spectrum of a real tile, and of its bins. Column kx = 0 has bins ky = 0 to
/// (tile - 1) / 2, the others have ky = 0 to tile - 1; a spectrum is stored in that order.
constexpr int fftColumns(int tile) {
    return (tile + 1) / 2;
}
constexpr std::size_t fftBins(int tile) {
    return static_cast<std::size_t>((tile * tile + 1) / 2);
}
constexpr int fftColumnBins(int tile, int kx) {
    return kx == 0 ? fftColumns(tile) : tile;
}
constexpr std::size_t fftFirstBin(int tile, int kx) {
    return static_cast<std::size_t>(kx == 0 ? 0 : fftColumns(tile) + (kx - 1) * tile);
}

/// The part of a tile that lies in an image, for one group of channels. `pixels` is where the tile's element
/// (rowBegin, columnBegin) lies; the strides are in elements and lead to the tile's next row and column.
struct FftWindow {
    void* pixels = nullptr;
    tensor::DType dtype = tensor::DType::Float32;
    std::size_t rowStride = 0, columnStride = 0;
    std::size_t channels = kFftGroup; ///< that the image has of the group: fewer in its last one, at times
    int rowBegin = 0, rowEnd = 0, columnBegin = 0, columnEnd = 0;
};

/// Transforms of one tile size, from and to bins as float32 or as float16 (FftSpectrumKernels). `work` has
/// fftTileWork(tile) floats.
struct FftTileKernels {
    /// bins[f * binStride] = 2 / factor * the DFT of the window, zero outside its part in the image. Returns the
    /// factor: 1 for float32; for float16 a power of two that brings the largest value that the window can have, were
    /// all its elements as large as the largest, to between 2^14 and 2^15. So nothing overflows, and what is 2^28
    /// times smaller is not yet lost.
    float (*forward)(const FftWindow& window, void* bins, std::size_t binStride, float* work) = nullptr;
    /// The window's part of factor * tile^2 * the inverse DFT, rounded at the store; with `bias` (16 values) y =
    /// max(y + bias, 0), where NaN stays NaN. The factor of float32 bins is 1.
    void (*inverse)(const void* bins, std::size_t binStride, const FftWindow& window, const float* bias, float factor,
                    float* work) = nullptr;
};
/// The least factor, that of windows of zeros.
inline constexpr float kFftLeastFactor = 0x1p-100f;
constexpr std::size_t fftTileWork(int tile) {
    return static_cast<std::size_t>(fftColumns(tile) * tile + 2 * tile) * kFftLine;
}

/// cos and sin of 2 pi n / tile; for conjugate spectra the sines are negative.
struct FftAngles {
    int tile = 0;
    const float* cosines = nullptr;
    const float* sines = nullptr;
};

/// The spectra of all taps of some groups of outputs: first the rows' transforms at column kx, then two bins of the
/// column at a time, which fit into the second-level cache. A bin comes in the three parts that a complex product by
/// three real ones needs (Gauss): re, im - re, -(re + im). Panel (0 for ky or 1 for tile - ky, group, part) is
/// [reduction][16] at panels + ((bin * groupCount + group) * 3 + part) * panelStride.
struct FftWeightSpectra {
    const float* taps = nullptr; ///< [group][reduction][rows * columns][16]
    std::size_t reduction = 0, groupCount = 0;
    int rows = 0, columns = 0;
    FftAngles angles;
    float* rowSpectra = nullptr; ///< [reduction][groupCount][rows][re 16 | im 16]
    float* panels = nullptr;
    std::size_t panelStride = 0;
};

/// taps += the inverse DFT of one column of the spectrum of the weight gradient, without its 1 / tile^2.
struct FftTapGradients {
    const float* spectra = nullptr; ///< [tile][reduction][groups][re 16 | im 16]
    std::size_t kyStride = 0;
    std::size_t reduction = 0, groups = 0;
    int rows = 0, columns = 0;
    FftAngles angles;
    float* taps = nullptr; ///< [reduction][groups][rows * columns][16]
};

/// One bin of x^ w^: result [m][group][re 16 | im 16] = x [m][reduction / 16][re 16 | im 16] * panels. Strides of x
/// and the result are in elements, float32 or float16.
struct FftBinProduct {
    const void* x = nullptr;
    const void* nextX = nullptr;    ///< of the bin that will be asked for next; may be null
    const float* factors = nullptr; ///< of float16: [m][reduction / 16] for x
    std::size_t count = 0, xStride = 0, reduction = 0;
    const float* panels = nullptr; ///< of this ky
    std::size_t panelStride = 0, groupCount = 0;
    void* result = nullptr;
    std::size_t resultStride = 0;
    float* work = nullptr; ///< fftProductWork(...) floats
};
constexpr std::size_t fftProductWork(bool half, std::size_t count, std::size_t reduction) {
    return half ? count * (3 * (reduction + kFftGroup) + 2 * kFftLine) : count * (reduction + kFftGroup + kFftLine);
}

/// One bin of the weight gradient: result [channels][groups][re 16 | im 16] = sum over m of x conj(dy). x is float32;
/// dy is float32 or float16, and its stride in elements.
struct FftBinCorrelation {
    const float* x = nullptr; ///< the first of `channels` channels
    const void* dy = nullptr;
    const void* nextX = nullptr; ///< of the bin that will be asked for next; both may be null
    const void* nextDy = nullptr;
    const float* dyFactors = nullptr; ///< of float16: [m][groups]
    std::size_t count = 0, xStride = 0, dyStride = 0, channels = 0, groups = 0;
    float* result = nullptr;
    float* work = nullptr; ///< fftCorrelationWork(...) floats
};
constexpr std::size_t fftCorrelationWork(bool half, std::size_t count, std::size_t channels, std::size_t groups) {
    return count * (channels + kFftGroup + (half ? 3 : 2) * groups * kFftGroup) + 2 * kFftGroup * kFftGroup;
}

/// The kernels for spectra stored in one way.
struct FftSpectrumKernels {
    std::array<FftTileKernels, kFftTiles.size()> tiles; ///< by kFftTiles
    void (*multiplyBin)(const FftBinProduct& job) = nullptr;
    void (*correlateBin)(const FftBinCorrelation& job) = nullptr;
};

struct FftKernels {
    FftSpectrumKernels full; ///< float32
    FftSpectrumKernels
        half; ///< float16; null where the CPU does not convert it by itself, since then it does not pay
    void (*weightRows)(const FftWeightSpectra& job, int kx) = nullptr;
    /// 0 <= ky < tile / 2; of ky = 0 there is no second bin.
    void (*weightBins)(const FftWeightSpectra& job, int ky) = nullptr;
    void (*tapGradients)(const FftTapGradients& job, int kx) = nullptr;
};

} // namespace halfstep::backend::cpu
