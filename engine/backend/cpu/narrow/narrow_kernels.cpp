// Products of a few input channels and many filters. Lanes run along the filters, and a tile of sums stays in the
// registers: pixels x filters on the way forward, taps x filters for the weight gradient. The other factor is one
// float, spread to all lanes.
#include "engine/backend/cpu/kernels.h"
#include <array>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/narrow/narrow_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/fft/unroll.h"
#include "engine/backend/cpu/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

constexpr std::size_t kLanes = hn::MaxLanes(F());
/// Vectors of a group of filters, and of the widest tile: two at least, so that a spread factor serves twice.
constexpr int kGroupVectors = static_cast<int>(kNarrowGroup / kLanes);
constexpr int kWideVectors = kGroupVectors == 1 ? 2 : kGroupVectors;
/// Rows of a tile (pixels or taps): what the registers hold beside the factors.
#if HWY_ARCH_ARM
constexpr int kRows = 6;
#else
constexpr int kRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 3;
#endif

template <class S, int kCount, int kVectors>
void forwardTile(const NarrowStrip& strip, std::size_t filter) {
    const F d;
    VF sums[kCount][kVectors];
    HALFSTEP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
        const VF bias = hn::LoadU(d, strip.bias + filter + static_cast<std::size_t>(v) * kLanes);
        HALFSTEP_UNROLL
        for (int pixel = 0; pixel < kCount; ++pixel) {
            sums[pixel][v] = bias;
        }
    }
    const std::size_t pixelStride = strip.pixelStride, filters = strip.filters;
    const float* weights = strip.weights + filter;
    for (std::size_t row = 0; row < strip.rowCount; ++row) {
        const float* x = strip.rows[row];
        for (const float* end = x + strip.taps; x != end; ++x) {
            VF factors[kVectors];
            HALFSTEP_UNROLL
            for (int v = 0; v < kVectors; ++v) {
                factors[v] = hn::LoadU(d, weights + static_cast<std::size_t>(v) * kLanes);
            }
            HALFSTEP_UNROLL
            for (int pixel = 0; pixel < kCount; ++pixel) {
                const VF value = hn::Set(d, x[static_cast<std::size_t>(pixel) * pixelStride]);
                HALFSTEP_UNROLL
                for (int v = 0; v < kVectors; ++v) {
                    sums[pixel][v] = hn::MulAdd(value, factors[v], sums[pixel][v]);
                }
            }
            weights += filters;
        }
    }
    auto* y = static_cast<typename S::Element*>(strip.y) + filter;
    const VF zero = hn::Zero(d);
    HALFSTEP_UNROLL
    for (int pixel = 0; pixel < kCount; ++pixel) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            const VF sum = sums[pixel][v];
            S::store(hn::IfThenZeroElse(hn::Lt(sum, zero), sum), y + static_cast<std::size_t>(v) * kLanes);
        }
        y += filters;
    }
}

template <int kCount, int kVectors>
void correlateTile(const NarrowCorrelation& c, std::size_t tap, std::size_t filter) {
    const F d;
    VF sums[kCount][kVectors];
    HALFSTEP_UNROLL
    for (int row = 0; row < kCount; ++row) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            sums[row][v] = hn::Zero(d);
        }
    }
    const float* x = c.row + tap;
    const float* dy = c.dy + filter;
    const std::size_t pixelStride = c.pixelStride, filters = c.filters;
    for (std::size_t pixel = 0; pixel < c.pixels; ++pixel) {
        VF factors[kVectors];
        HALFSTEP_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            factors[v] = hn::LoadU(d, dy + static_cast<std::size_t>(v) * kLanes);
        }
        HALFSTEP_UNROLL
        for (int row = 0; row < kCount; ++row) {
            const VF value = hn::Set(d, x[row]);
            HALFSTEP_UNROLL
            for (int v = 0; v < kVectors; ++v) {
                sums[row][v] = hn::MulAdd(value, factors[v], sums[row][v]);
            }
        }
        x += pixelStride;
        dy += filters;
    }
    HALFSTEP_UNROLL
    for (int row = 0; row < kCount; ++row) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            float* to = c.sums + (tap + static_cast<std::size_t>(row)) * filters + filter +
                        static_cast<std::size_t>(v) * kLanes;
            hn::StoreU(hn::Add(hn::LoadU(d, to), sums[row][v]), d, to);
        }
    }
}

using ForwardTile = void (*)(const NarrowStrip&, std::size_t filter);
using CorrelateTile = void (*)(const NarrowCorrelation&, std::size_t tap, std::size_t filter);

template <class S, int kVectors, int... kIndex>
constexpr std::array<ForwardTile, kRows> forwardTiles(std::integer_sequence<int, kIndex...>) {
    return {&forwardTile<S, kIndex + 1, kVectors>...};
}
template <int kVectors, int... kIndex>
constexpr std::array<CorrelateTile, kRows> correlateTiles(std::integer_sequence<int, kIndex...>) {
    return {&correlateTile<kIndex + 1, kVectors>...};
}
/// By the number of rows, less one.
template <class S, int kVectors>
constexpr auto kForwardTiles = forwardTiles<S, kVectors>(std::make_integer_sequence<int, kRows>());
template <int kVectors>
constexpr auto kCorrelateTiles = correlateTiles<kVectors>(std::make_integer_sequence<int, kRows>());

template <class S>
void forward(const NarrowStrip& strip) {
    std::size_t filter = 0;
    for (; filter + kWideVectors * kLanes <= strip.filters; filter += kWideVectors * kLanes) {
        kForwardTiles<S, kWideVectors>[strip.pixels - 1](strip, filter);
    }
    for (; filter < strip.filters; filter += kNarrowGroup) {
        kForwardTiles<S, kGroupVectors>[strip.pixels - 1](strip, filter);
    }
}

template <int kVectors>
void correlateFilters(const NarrowCorrelation& c, std::size_t filter) {
    const std::size_t parts = (c.taps + kRows - 1) / kRows; // as even as can be: small tiles have too few chains
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t tap = c.taps * part / parts, count = c.taps * (part + 1) / parts - tap;
        kCorrelateTiles<kVectors>[count - 1](c, tap, filter);
    }
}

void correlate(const NarrowCorrelation& c) {
    std::size_t filter = 0;
    for (; filter + kWideVectors * kLanes <= c.filters; filter += kWideVectors * kLanes) {
        correlateFilters<kWideVectors>(c, filter);
    }
    for (; filter < c.filters; filter += kNarrowGroup) {
        correlateFilters<kGroupVectors>(c, filter);
    }
}

void FillNarrow(Kernels& kernels) {
    kernels.narrow = {.pixels = static_cast<std::size_t>(kRows),
                      .forward = {&forward<Float32>, &forward<Float16>, &forward<BFloat16>},
                      .correlate = &correlate};
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillNarrow);
void fillNarrowKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillNarrow)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
