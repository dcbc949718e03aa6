// Complex matrix products, one bin of the spectra at a time, by three real products (Gauss):
//   p = (a.re + a.im) b.re,  im = p + a.re (b.im - b.re),  re = p - a.im (b.re + b.im)
#include "engine/backend/cpu/kernels.h"
#include <algorithm>
#include <array>
#include <hwy/cache_control.h>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/fft/product_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/fft/dft-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// Vectors of a group, and the rows of a result that fit with them into the registers.
constexpr int kVectors = static_cast<int>(kFftGroup / kLanes);
#if HWY_ARCH_ARM
constexpr int kRows = 6;
#else
constexpr int kRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 3;
#endif

/// result[row][16] = initial[row][16] + sum over i of a(row, i) b[i][16]; i runs over `outer` times `inner`.
struct Strip {
    const float* a;
    std::size_t rowStride, innerStride, outerStride, inner, outer;
    const float* b;
    const float* initial; ///< dense; null for zero
    float* result;
    std::size_t resultStride;
};

template <int kCount, bool kStream>
void multiplyRows(const Strip& s) {
    const F d;
    VF sums[kCount][kVectors];
    HALFSTEP_UNROLL
    for (int row = 0; row < kCount; ++row) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            sums[row][v] = s.initial == nullptr ? hn::Zero(d)
                                                : hn::Load(d, s.initial + static_cast<std::size_t>(row) * kFftGroup +
                                                                  static_cast<std::size_t>(v) * kLanes);
        }
    }
    const float* b = s.b;
    const std::size_t rowStride = s.rowStride, innerStride = s.innerStride;
    for (std::size_t outer = 0; outer < s.outer; ++outer) {
        const float* a = s.a + outer * s.outerStride;
        for (std::size_t inner = 0; inner < s.inner; ++inner) {
            VF factors[kVectors];
            HALFSTEP_UNROLL
            for (int v = 0; v < kVectors; ++v) {
                factors[v] = hn::Load(d, b + static_cast<std::size_t>(v) * kLanes);
            }
            HALFSTEP_UNROLL
            for (int row = 0; row < kCount; ++row) {
                const VF value = hn::Set(d, a[static_cast<std::size_t>(row) * rowStride]);
                HALFSTEP_UNROLL
                for (int v = 0; v < kVectors; ++v) {
                    sums[row][v] = hn::MulAdd(value, factors[v], sums[row][v]);
                }
            }
            a += innerStride;
            b += kFftGroup;
        }
    }
    HALFSTEP_UNROLL
    for (int row = 0; row < kCount; ++row) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            float* to =
                s.result + static_cast<std::size_t>(row) * s.resultStride + static_cast<std::size_t>(v) * kLanes;
            if constexpr (kStream) {
                hn::Stream(sums[row][v], d, to);
            } else {
                hn::Store(sums[row][v], d, to);
            }
        }
    }
}

template <bool kStream, int... kIndex>
constexpr auto rowFunctions(std::integer_sequence<int, kIndex...>) {
    return std::array<void (*)(const Strip&), kRows>{&multiplyRows<kIndex + 1, kStream>...};
}
template <bool kStream>
inline constexpr auto kRowFunctions = rowFunctions<kStream>(std::make_integer_sequence<int, kRows>());

/// All `count` rows of a strip, in blocks of nearly the same size: a block of one row would run at a sixth of the
/// speed.
template <bool kStream>
void multiplyStrip(Strip strip, std::size_t count) {
    const std::size_t blocks = (count + kRows - 1) / kRows;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t rows = count * (block + 1) / blocks - count * block / blocks;
        kRowFunctions<kStream>[rows - 1](strip);
        strip.a += rows * strip.rowStride;
        strip.initial = strip.initial == nullptr ? nullptr : strip.initial + rows * kFftGroup;
        strip.result += rows * strip.resultStride;
    }
}

void multiplyBin(const FftBinProduct& job) {
    const F d;
    const std::size_t outer = job.reduction / kFftGroup;
    const std::size_t sumStride = job.reduction + kFftGroup; // an odd number of lines: no two rows share a set
    float* sums = job.work;                                  // a.re + a.im
    float* partial = sums + job.count * sumStride;
    for (std::size_t m = 0; m < job.count; ++m) {
        const float* x = job.x + m * job.xStride;
        float* to = sums + m * sumStride;
        for (std::size_t group = 0; group < outer; ++group) {
            for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
                hn::Store(hn::Add(hn::Load(d, x + h), hn::Load(d, x + kFftGroup + h)), d, to + h);
            }
            x += kFftLine;
            to += kFftGroup;
        }
    }
    for (std::size_t group = 0; group < job.groupCount; ++group) {
        const float* panel = job.panels + group * 3 * job.panelStride;
        float* result = job.result + group * kFftLine;
        // One part of all rows after the other: its panel stays in the first-level cache.
        multiplyStrip<false>({sums, sumStride, 1, kFftGroup, kFftGroup, outer, panel, nullptr, partial, kFftGroup},
                             job.count);
        multiplyStrip<true>({job.x, job.xStride, 1, kFftLine, kFftGroup, outer, panel + job.panelStride, partial,
                             result + kFftGroup, job.resultStride},
                            job.count);
        multiplyStrip<true>({job.x + kFftGroup, job.xStride, 1, kFftLine, kFftGroup, outer,
                             panel + 2 * job.panelStride, partial, result, job.resultStride},
                            job.count);
    }
    hwy::FlushStream();
}

void correlateBin(const FftBinCorrelation& job) {
    const F d;
    const std::size_t stride = job.channels + kFftGroup;
    float* re = job.work; // [m][channels], and so are the next two
    float* im = re + job.count * stride;
    float* sum = im + job.count * stride;
    float* panels = sum + job.count * stride; // [group][part][m][16]
    const std::size_t panel = job.count * kFftGroup;
    float* partial = panels + 3 * job.groups * panel;
    for (std::size_t m = 0; m < job.count; ++m) {
        const float* x = job.x + m * job.xStride;
        std::size_t to = m * stride;
        for (std::size_t c = 0; c < job.channels; c += kFftGroup) {
            for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
                const VF xRe = hn::Load(d, x + h), xIm = hn::Load(d, x + kFftGroup + h);
                hn::Store(xRe, d, re + to + h);
                hn::Store(xIm, d, im + to + h);
                hn::Store(hn::Add(xRe, xIm), d, sum + to + h);
            }
            x += kFftLine;
            to += kFftGroup;
        }
        const float* dy = job.dy + m * job.dyStride;
        float* part = panels + m * kFftGroup;
        for (std::size_t group = 0; group < job.groups; ++group) {
            for (std::size_t h = 0; h < kFftGroup; h += kLanes) { // of the conjugate
                const VF dyRe = hn::Load(d, dy + h), dyIm = hn::Load(d, dy + kFftGroup + h);
                hn::Store(dyRe, d, part + h);
                hn::Store(hn::Neg(hn::Add(dyRe, dyIm)), d, part + panel + h);
                hn::Store(hn::Sub(dyIm, dyRe), d, part + 2 * panel + h);
            }
            dy += kFftLine;
            part += 3 * panel;
        }
    }
    const std::size_t resultStride = job.groups * kFftLine;
    for (std::size_t group = 0; group < job.groups; ++group) {
        const float* part = panels + group * 3 * panel;
        float* result = job.result + group * kFftLine;
        multiplyStrip<false>({sum, 1, stride, 0, job.count, 1, part, nullptr, partial, kFftGroup}, job.channels);
        multiplyStrip<false>(
            {re, 1, stride, 0, job.count, 1, part + panel, partial, result + kFftGroup, resultStride}, job.channels);
        multiplyStrip<false>({im, 1, stride, 0, job.count, 1, part + 2 * panel, partial, result, resultStride},
                             job.channels);
    }
}

void FillFftProduct(Kernels& kernels) {
    kernels.fft.multiplyBin = &multiplyBin;
    kernels.fft.correlateBin = &correlateBin;
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillFftProduct);
void fillFftProductKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillFftProduct)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
