#pragma once
#include "engine/backend/cpu/convolution.h"
#include "engine/backend/cpu/fft/fft_kernels.h"
#include <cstdint>
#include <optional>

namespace halfstep::backend::cpu {

/// How tiles cover one axis. A convolution with stride s works on s phases of the input: unit u of phase p is element
/// s u + p - padBefore, so that output o is the sum over taps j of unit o + j times tap s j + p. Position q of tile t
/// holds unit start + t step + q of what goes in, and, for q in [from, from + step), of what comes out.
struct FftAxis {
    std::int64_t tiles = 0, step = 0, start = 0, from = 0;
};

/// Elements of an image along an axis by unit: element = scale * unit + offset, in [0, size).
struct FftElements {
    std::int64_t scale = 1, offset = 0, size = 0;
};

/// Positions [begin, end) of a tile, and the element at `begin`.
struct FftRange {
    int begin = 0, end = 0;
    std::int64_t element = 0;
};
/// Those of the positions [low, high) of tile t that lie in the image; begin = end = low if none does.
FftRange rangeOf(const FftAxis& axis, std::int64_t tile, const FftElements& elements, std::int64_t low,
                 std::int64_t high);

/// How a convolution is done with tiles of one size: forward tiles serve the weight gradient, too.
struct FftPlan {
    int tile = 0;
    int kernel = 0; ///< index of the tile in kFftTiles
    std::int64_t tapRows = 0, tapColumns = 0;
    FftAxis forwardRows, forwardColumns, backwardRows, backwardColumns;
    std::int64_t padTop = 0, padLeft = 0;

    std::int64_t forwardTiles() const { return forwardRows.tiles * forwardColumns.tiles; }
    std::int64_t backwardTiles() const { return backwardRows.tiles * backwardColumns.tiles; }
};

/// The plan with tiles of size kFftTiles[kernel]; none if the geometry does not fit: kernels above 11 x 11 a phase,
/// or more taps than a tile can take.
std::optional<FftPlan> fftPlan(const ConvolutionGeometry& geometry, int kernel);
/// The same by the size of the tile, one of kFftTiles.
std::optional<FftPlan> fftPlanWithTile(const ConvolutionGeometry& geometry, int tile);

} // namespace halfstep::backend::cpu
