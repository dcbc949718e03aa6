// Complex matrix products, one bin of the spectra at a time, by three real products (Gauss):
//   p = (a.re + a.im) b.re,  im = p + a.re (b.im - b.re),  re = p - a.im (b.re + b.im)
#include "engine/backend/cpu/kernels.h"
#include <algorithm>
#include <array>
#include <hwy/cache_control.h>
#include <type_traits>
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

/// Rows of a result that fit into the registers, with the vectors of a group each.
#if HWY_ARCH_ARM
constexpr int kRows = 6;
#else
constexpr int kRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 3;
#endif

/// Groups of 16 columns that share the factors of their rows: two where the registers hold both, since then every
/// factor that is loaded serves two products.
constexpr int kGroupsTogether = HWY_ARCH_X86 && kLanes == 16 ? 2 : 1;

/// result[row][16] = initial[row][16] + sum over i of a(row, i) b[i][16], for one group of columns or several; i runs
/// over `outer` times `inner`. Strides are in floats, the group's lead to the next group of columns.
struct Strip {
    const float* a;
    std::size_t rowStride, innerStride, outerStride, inner, outer;
    const float* b;
    std::size_t bStride, bGroupStride;
    const float* initial; ///< rows dense; null for zero
    std::size_t initialGroupStride;
    float* result;
    std::size_t resultStride, resultGroupStride;
};

/// Where vector v of a row of groups begins.
HWY_INLINE constexpr std::size_t placeOf(int v, std::size_t groupStride) {
    return static_cast<std::size_t>(v / kVectors) * groupStride + static_cast<std::size_t>(v % kVectors) * kLanes;
}

template <int kCount, int kGroups, bool kStream>
void multiplyRows(const Strip& s) {
    constexpr int kWidth = kGroups * kVectors;
    const F d;
    VF sums[kCount][kWidth];
    HALFSTEP_UNROLL
    for (int row = 0; row < kCount; ++row) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kWidth; ++v) {
            sums[row][v] = s.initial == nullptr ? hn::Zero(d)
                                                : hn::Load(d, s.initial + static_cast<std::size_t>(row) * kFftGroup +
                                                                  placeOf(v, s.initialGroupStride));
        }
    }
    const float* b = s.b;
    const std::size_t rowStride = s.rowStride, innerStride = s.innerStride, bStride = s.bStride;
    const std::size_t bGroupStride = s.bGroupStride;
    for (std::size_t outer = 0; outer < s.outer; ++outer) {
        const float* a = s.a + outer * s.outerStride;
        for (std::size_t inner = 0; inner < s.inner; ++inner) {
            VF factors[kWidth];
            HALFSTEP_UNROLL
            for (int v = 0; v < kWidth; ++v) {
                factors[v] = hn::Load(d, b + placeOf(v, bGroupStride));
            }
            HALFSTEP_UNROLL
            for (int row = 0; row < kCount; ++row) {
                const VF value = hn::Set(d, a[static_cast<std::size_t>(row) * rowStride]);
                HALFSTEP_UNROLL
                for (int v = 0; v < kWidth; ++v) {
                    sums[row][v] = hn::MulAdd(value, factors[v], sums[row][v]);
                }
            }
            a += innerStride;
            b += bStride;
        }
    }
    HALFSTEP_UNROLL
    for (int row = 0; row < kCount; ++row) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kWidth; ++v) {
            float* to = s.result + static_cast<std::size_t>(row) * s.resultStride + placeOf(v, s.resultGroupStride);
            if constexpr (kStream) {
                hn::Stream(sums[row][v], d, to);
            } else {
                hn::Store(sums[row][v], d, to);
            }
        }
    }
}

template <int kGroups, bool kStream, int... kIndex>
constexpr auto rowFunctions(std::integer_sequence<int, kIndex...>) {
    return std::array<void (*)(const Strip&), kRows>{&multiplyRows<kIndex + 1, kGroups, kStream>...};
}
template <int kGroups, bool kStream>
inline constexpr auto kRowFunctions = rowFunctions<kGroups, kStream>(std::make_integer_sequence<int, kRows>());

/// Asks for the next bin's operand, a few cache lines at each block of rows, so that its way from memory hides behind
/// the products of this one.
class Ahead {
public:
    /// `rows` of `length` floats, `stride` apart, spread over `blocks` blocks. Nothing if `from` is null.
    Ahead(const float* from, std::size_t rows, std::size_t length, std::size_t stride, std::size_t blocks)
        : m_row(from),
          m_rows(from == nullptr ? 0 : rows),
          m_length(length),
          m_stride(stride),
          m_lines((rows * (length / kFftGroup) + blocks - 1) / blocks) {}

    HWY_INLINE void advance() {
        for (std::size_t line = 0; line < m_lines && m_rows > 0; ++line) {
            hwy::Prefetch(m_row + m_at);
            m_at += kFftGroup;
            if (m_at >= m_length) {
                m_at = 0;
                m_row += m_stride;
                --m_rows;
            }
        }
    }

private:
    const float* m_row;
    std::size_t m_rows, m_length, m_stride, m_lines, m_at = 0;
};

std::size_t blocksOf(std::size_t rows) {
    return (rows + kRows - 1) / kRows;
}

/// All `count` rows of a strip, in blocks of nearly the same size: a block of one row would run at a sixth of the
/// speed.
template <int kGroups, bool kStream>
void multiplyStrip(Strip strip, std::size_t count, Ahead& ahead) {
    const std::size_t blocks = blocksOf(count);
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t rows = count * (block + 1) / blocks - count * block / blocks;
        kRowFunctions<kGroups, kStream>[rows - 1](strip);
        strip.a += rows * strip.rowStride;
        strip.initial = strip.initial == nullptr ? nullptr : strip.initial + rows * kFftGroup;
        strip.result += rows * strip.resultStride;
        ahead.advance();
    }
}

std::size_t stripsOf(std::size_t groups) {
    return (groups + kGroupsTogether - 1) / kGroupsTogether;
}

/// Calls visit(first group, number of groups as a constant) for strips that together hold `groups` groups of columns.
template <class Visit>
void forStrips(std::size_t groups, const Visit& visit) {
    std::size_t group = 0;
    for (; group + kGroupsTogether <= groups; group += kGroupsTogether) {
        visit(group, std::integral_constant<int, kGroupsTogether>());
    }
    if constexpr (kGroupsTogether > 1) {
        for (; group < groups; ++group) {
            visit(group, std::integral_constant<int, 1>());
        }
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
    Ahead ahead(job.nextX, job.count, job.xStride, job.xStride, 3 * stripsOf(job.groupCount) * blocksOf(job.count));
    forStrips(job.groupCount, [&](std::size_t group, auto groups) {
        const float* panel = job.panels + group * 3 * job.panelStride;
        float* result = job.result + group * kFftLine;
        // One part of all rows after the other: its panels stay near.
        multiplyStrip<groups(), false>({.a = sums,
                                        .rowStride = sumStride,
                                        .innerStride = 1,
                                        .outerStride = kFftGroup,
                                        .inner = kFftGroup,
                                        .outer = outer,
                                        .b = panel,
                                        .bStride = kFftGroup,
                                        .bGroupStride = 3 * job.panelStride,
                                        .initial = nullptr,
                                        .initialGroupStride = 0,
                                        .result = partial,
                                        .resultStride = kFftGroup,
                                        .resultGroupStride = job.count * kFftGroup},
                                       job.count, ahead);
        Strip strip{.a = job.x,
                    .rowStride = job.xStride,
                    .innerStride = 1,
                    .outerStride = kFftLine,
                    .inner = kFftGroup,
                    .outer = outer,
                    .b = panel + job.panelStride,
                    .bStride = kFftGroup,
                    .bGroupStride = 3 * job.panelStride,
                    .initial = partial,
                    .initialGroupStride = job.count * kFftGroup,
                    .result = result + kFftGroup,
                    .resultStride = job.resultStride,
                    .resultGroupStride = kFftLine};
        multiplyStrip<groups(), true>(strip, job.count, ahead);
        strip.a = job.x + kFftGroup;
        strip.b = panel + 2 * job.panelStride;
        strip.result = result;
        multiplyStrip<groups(), true>(strip, job.count, ahead);
    });
    hwy::FlushStream();
}

void correlateBin(const FftBinCorrelation& job) {
    const F d;
    const std::size_t sumStride = job.channels + kFftGroup;
    const std::size_t panel = job.count * kFftGroup;
    float* sums = job.work;                       // x.re + x.im, [m][channels]
    float* panels = sums + job.count * sumStride; // [group][2][m][16]: -(dy.re + dy.im), dy.im - dy.re
    float* partial = panels + 2 * job.groups * panel;
    for (std::size_t m = 0; m < job.count; ++m) {
        const float* x = job.x + m * job.xStride;
        float* sum = sums + m * sumStride;
        for (std::size_t c = 0; c < job.channels; c += kFftGroup) {
            for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
                hn::Store(hn::Add(hn::Load(d, x + h), hn::Load(d, x + kFftGroup + h)), d, sum + c + h);
            }
            x += kFftLine;
        }
        const float* dy = job.dy + m * job.dyStride;
        float* part = panels + m * kFftGroup;
        for (std::size_t group = 0; group < job.groups; ++group) {
            for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
                const VF dyRe = hn::Load(d, dy + h), dyIm = hn::Load(d, dy + kFftGroup + h);
                hn::Store(hn::Neg(hn::Add(dyRe, dyIm)), d, part + h);
                hn::Store(hn::Sub(dyIm, dyRe), d, part + panel + h);
            }
            dy += kFftLine;
            part += 2 * panel;
        }
    }
    const std::size_t resultStride = job.groups * kFftLine;
    const std::size_t strips = 3 * stripsOf(job.groups) * job.channels / kFftGroup;
    Ahead aheadX(job.nextX, job.count, 2 * job.channels, job.xStride, strips * blocksOf(kFftGroup));
    Ahead aheadDy(job.nextDy, job.count, job.dyStride, job.dyStride, strips);
    forStrips(job.groups, [&](std::size_t group, auto together) {
        const float* part = panels + group * 2 * panel;
        float* result = job.result + group * kFftLine;
        for (std::size_t c = 0; c < job.channels; c += kFftGroup) {
            multiplyStrip<together(), false>({.a = sums + c,
                                              .rowStride = 1,
                                              .innerStride = sumStride,
                                              .outerStride = 0,
                                              .inner = job.count,
                                              .outer = 1,
                                              .b = job.dy + group * kFftLine,
                                              .bStride = job.dyStride,
                                              .bGroupStride = kFftLine,
                                              .initial = nullptr,
                                              .initialGroupStride = 0,
                                              .result = partial,
                                              .resultStride = kFftGroup,
                                              .resultGroupStride = kFftGroup * kFftGroup},
                                             kFftGroup, aheadX);
            aheadDy.advance();
            Strip strip{.a = job.x + 2 * c,
                        .rowStride = 1,
                        .innerStride = job.xStride,
                        .outerStride = 0,
                        .inner = job.count,
                        .outer = 1,
                        .b = part,
                        .bStride = kFftGroup,
                        .bGroupStride = 2 * panel,
                        .initial = partial,
                        .initialGroupStride = kFftGroup * kFftGroup,
                        .result = result + c * resultStride + kFftGroup,
                        .resultStride = resultStride,
                        .resultGroupStride = kFftLine};
            multiplyStrip<together(), false>(strip, kFftGroup, aheadX);
            aheadDy.advance();
            strip.a += kFftGroup;
            strip.b += panel;
            strip.result -= kFftGroup;
            multiplyStrip<together(), false>(strip, kFftGroup, aheadX);
            aheadDy.advance();
        }
    });
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
