#include "engine/backend/cpu/fft/fft_plan.h"
#include <algorithm>

namespace halfstep::backend::cpu {
namespace {

/// Also for a negative `a`; b > 0.
std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}
std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return -floorDiv(-a, b);
}

/// One axis of the geometry.
struct Axis {
    std::int64_t size, outputs, stride, taps, pad;

    Axis(std::int64_t inputs, std::int64_t outputCount, std::int64_t kernel, std::int64_t step, std::int64_t padding)
        : size(inputs),
          outputs(outputCount),
          stride(step),
          taps(ceilDiv(kernel, step)),
          pad(padding / 2) {}

    /// The first unit that lies in the image for any phase, and the last one.
    std::int64_t firstUnit() const { return std::max<std::int64_t>(ceilDiv(pad - (stride - 1), stride), 0); }
    std::int64_t lastUnit() const { return floorDiv(size - 1 + pad, stride); }
};

/// `outputs` in as few tiles as hold them, of nearly equal size; no tiles if a tile cannot hold the taps.
FftAxis evenTiles(std::int64_t outputs, std::int64_t tile, std::int64_t taps) {
    const std::int64_t most = tile - taps + 1;
    if (most < 1) {
        return {};
    }
    const std::int64_t tiles = ceilDiv(outputs, most);
    return {.tiles = tiles, .step = ceilDiv(outputs, tiles), .start = 0, .from = 0};
}

FftAxis forwardAxis(const Axis& a, std::int64_t tile) {
    // A tile is periodic: the units behind its end are taken from its beginning. That does no harm to a single tile
    // that reaches past the image if the units there are padding as well.
    const bool wrapsIntoPadding =
        a.outputs <= tile && a.outputs + a.taps - 1 <= tile + a.firstUnit() && a.stride * tile - a.pad >= a.size;
    if (wrapsIntoPadding) {
        return {.tiles = 1, .step = a.outputs, .start = 0, .from = 0};
    }
    return evenTiles(a.outputs, tile, a.taps);
}

FftAxis backwardAxis(const Axis& a, std::int64_t tile) {
    const std::int64_t first = a.firstUnit(), units = a.lastUnit() - first + 1;
    // Unit u is the sum over taps of output u - j. In one tile u - j may wrap only onto positions without an output.
    if (tile >= std::max(first + units, a.outputs + a.taps - 1 - first) && tile >= a.outputs) {
        return {.tiles = 1, .step = units, .start = 0, .from = first};
    }
    FftAxis axis = evenTiles(units, tile, a.taps);
    axis.start = first - (a.taps - 1);
    axis.from = a.taps - 1;
    return axis;
}

} // namespace

FftRange rangeOf(const FftAxis& axis, std::int64_t tile, const FftElements& elements, std::int64_t low,
                 std::int64_t high) {
    const std::int64_t unit = axis.start + tile * axis.step;
    const std::int64_t begin = std::max(low, ceilDiv(-elements.offset, elements.scale) - unit);
    const std::int64_t end = std::min(high, floorDiv(elements.size - 1 - elements.offset, elements.scale) - unit + 1);
    if (begin >= end) {
        return {static_cast<int>(low), static_cast<int>(low), 0};
    }
    return {static_cast<int>(begin), static_cast<int>(end), elements.scale * (unit + begin) + elements.offset};
}

std::optional<FftPlan> fftPlan(const ConvolutionGeometry& g, int kernel) {
    const int tile = kFftTiles[static_cast<std::size_t>(kernel)];
    const Axis rows(g.height, g.outputHeight(), g.kernelHeight, g.stride, g.paddingHeight());
    const Axis columns(g.width, g.outputWidth(), g.kernelWidth, g.stride, g.paddingWidth());
    if (rows.taps > kFftMaximumTaps || columns.taps > kFftMaximumTaps) {
        return std::nullopt;
    }
    FftPlan plan{.tile = tile,
                 .kernel = kernel,
                 .tapRows = rows.taps,
                 .tapColumns = columns.taps,
                 .forwardRows = forwardAxis(rows, tile),
                 .forwardColumns = forwardAxis(columns, tile),
                 .backwardRows = backwardAxis(rows, tile),
                 .backwardColumns = backwardAxis(columns, tile),
                 .padTop = rows.pad,
                 .padLeft = columns.pad};
    if (plan.forwardTiles() == 0 || plan.backwardTiles() == 0) {
        return std::nullopt;
    }
    return plan;
}

std::optional<FftPlan> fftPlanWithTile(const ConvolutionGeometry& geometry, int tile) {
    return fftPlan(geometry, static_cast<int>(std::ranges::find(kFftTiles, tile) - kFftTiles.begin()));
}

} // namespace halfstep::backend::cpu
