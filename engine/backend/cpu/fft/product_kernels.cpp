// Complex matrix products, one bin of the spectra at a time, by three real products (Gauss):
//   p = (a.re + a.im) b.re,  im = p + a.re (b.im - b.re),  re = p - a.im (b.re + b.im)
//
// Operands in float32 are read where they lie. Operands in float16 are first taken to float32, times their factors,
// into memory that stays in the second-level cache.
#include "engine/backend/cpu/kernels.h"
#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/fft/product_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/fft/strips-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// The real parts, imaginary parts and their sums of a matrix, as the strips read them: value c of a row lies at
/// [c / 16 * outerStride + c % 16].
struct Parts {
    const float *re, *im, *sum;
    std::size_t rowStride, outerStride; ///< of re and im
    std::size_t sumStride;              ///< of the rows of sums, which are dense
};

/// Rows of `groups` lines of x, with `factors` one for each line and `factorStride` from row to row. `work` has 1
/// (float32) or 3 (float16) times count * (16 groups + 16) floats, of which `work` then begins behind.
template <class L>
Parts partsOf(const typename L::Element* x, std::size_t xStride, const float* factors, std::size_t factorStride,
              std::size_t count, std::size_t groups, float*& work) {
    const F d;
    const std::size_t rowStride = (groups + 1) * kFftGroup; // an odd number of lines: no two rows share a set
    float* sums = work;
    float* re = sums + count * rowStride; // of float16 alone
    float* im = re + count * rowStride;
    for (std::size_t m = 0; m < count; ++m) {
        const typename L::Element* from = x + m * xStride;
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t to = m * rowStride + group * kFftGroup;
            for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
                VF real = L::load(from + h), imaginary = L::load(from + kFftGroup + h);
                if constexpr (L::kScaled) {
                    const VF factor = hn::Set(d, factors[m * factorStride + group]);
                    real = hn::Mul(real, factor);
                    imaginary = hn::Mul(imaginary, factor);
                    hn::Store(real, d, re + to + h);
                    hn::Store(imaginary, d, im + to + h);
                }
                hn::Store(hn::Add(real, imaginary), d, sums + to + h);
            }
            from += kFftLine;
        }
    }
    if constexpr (L::kScaled) {
        work = im + count * rowStride;
        return {re, im, sums, rowStride, kFftGroup, rowStride};
    } else {
        work = re;
        return {x, x + kFftGroup, sums, xStride, kFftLine, rowStride};
    }
}

template <class L>
void multiplyBin(const FftBinProduct& job) {
    using Element = typename L::Element;
    const std::size_t outer = job.reduction / kFftGroup, strips = 3 * stripsOf(job.groupCount);
    float* work = job.work;
    const Parts x =
        partsOf<L>(static_cast<const Element*>(job.x), job.xStride, job.factors, outer, job.count, outer, work);
    float* partial = work;
    float* imaginary = partial + job.count * kFftLine; // of float16 alone
    const std::size_t rowBytes = job.xStride * sizeof(Element);
    Ahead ahead(job.nextX, job.count, rowBytes, rowBytes, strips * blocksOf(job.count));
    forStrips(job.groupCount, [&](std::size_t group, auto groups) {
        const float* panel = job.panels + group * 3 * job.panelStride;
        auto* result = static_cast<Element*>(job.result) + group * kFftLine;
        // One part of all rows after the other: its panels stay near.
        multiplyStrip<groups(), Sink::Keep>({.a = x.sum,
                                             .rowStride = x.sumStride,
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
        Strip strip{.a = x.re,
                    .rowStride = x.rowStride,
                    .innerStride = 1,
                    .outerStride = x.outerStride,
                    .inner = kFftGroup,
                    .outer = outer,
                    .b = panel + job.panelStride,
                    .bStride = kFftGroup,
                    .bGroupStride = 3 * job.panelStride,
                    .initial = partial,
                    .initialGroupStride = job.count * kFftGroup,
                    .result = nullptr,
                    .resultStride = job.resultStride,
                    .resultGroupStride = kFftLine};
        Strip real = strip;
        real.a = x.im;
        real.b += job.panelStride;
        if constexpr (L::kScaled) { // both parts of a line go to memory together
            strip.result = imaginary;
            strip.resultStride = kFftGroup;
            strip.resultGroupStride = job.count * kFftGroup;
            multiplyStrip<groups(), Sink::Keep>(strip, job.count, ahead);
            real.imaginary = imaginary;
            real.halfLines = result;
            multiplyStrip<groups(), Sink::HalfLines>(real, job.count, ahead);
        } else {
            strip.result = result + kFftGroup;
            multiplyStrip<groups(), Sink::Stream>(strip, job.count, ahead);
            real.result = result;
            multiplyStrip<groups(), Sink::Stream>(real, job.count, ahead);
        }
    });
    hwy::FlushStream();
}

/// The right-hand side of a correlation: dy.re, dy.im - dy.re and -(dy.re + dy.im) of a group at `first` plus group *
/// groupStride, with a row every `stride` floats.
struct GradientParts {
    const float *re, *difference, *negativeSum;
    std::size_t reStride, reGroupStride, stride, groupStride;
};

template <class L>
GradientParts gradientPartsOf(const FftBinCorrelation& job, float*& work) {
    const F d;
    const auto* dy = static_cast<const typename L::Element*>(job.dy);
    constexpr std::size_t kParts = L::kScaled ? 3 : 2;
    const std::size_t panel = job.count * kFftGroup;
    float* panels = work; // [group][part][m][16]
    for (std::size_t m = 0; m < job.count; ++m) {
        const typename L::Element* from = dy + m * job.dyStride;
        float* to = panels + m * kFftGroup;
        for (std::size_t group = 0; group < job.groups; ++group) {
            for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
                VF re = L::load(from + h), im = L::load(from + kFftGroup + h);
                if constexpr (L::kScaled) {
                    const VF factor = hn::Set(d, job.dyFactors[m * job.groups + group]);
                    re = hn::Mul(re, factor);
                    im = hn::Mul(im, factor);
                    hn::Store(re, d, to + 2 * panel + h);
                }
                hn::Store(hn::Neg(hn::Add(re, im)), d, to + h);
                hn::Store(hn::Sub(im, re), d, to + panel + h);
            }
            from += kFftLine;
            to += kParts * panel;
        }
    }
    work = panels + kParts * job.groups * panel;
    if constexpr (L::kScaled) {
        return {panels + 2 * panel, panels + panel, panels, kFftGroup, kParts * panel, kFftGroup, kParts * panel};
    } else {
        return {dy, panels + panel, panels, job.dyStride, kFftLine, kFftGroup, kParts * panel};
    }
}

template <class L>
void correlateBin(const FftBinCorrelation& job) {
    using Element = typename L::Element;
    float* work = job.work;
    const Parts x = partsOf<FullLines>(job.x, job.xStride, nullptr, 0, job.count, job.channels / kFftGroup, work);
    const GradientParts dy = gradientPartsOf<L>(job, work);
    float* partial = work;
    const std::size_t resultStride = job.groups * kFftLine;
    const std::size_t strips = 3 * stripsOf(job.groups) * job.channels / kFftGroup;
    Ahead aheadX(job.nextX, job.count, 2 * job.channels * sizeof(float), job.xStride * sizeof(float),
                 strips * blocksOf(kFftGroup));
    const std::size_t dyBytes = job.dyStride * sizeof(Element);
    Ahead aheadDy(job.nextDy, job.count, dyBytes, dyBytes, strips);
    forStrips(job.groups, [&](std::size_t group, auto together) {
        float* result = job.result + group * kFftLine;
        for (std::size_t c = 0; c < job.channels; c += kFftGroup) {
            const std::size_t place = c / kFftGroup * x.outerStride;
            multiplyStrip<together(), Sink::Keep>({.a = x.sum + c,
                                                   .rowStride = 1,
                                                   .innerStride = x.sumStride,
                                                   .outerStride = 0,
                                                   .inner = job.count,
                                                   .outer = 1,
                                                   .b = dy.re + group * dy.reGroupStride,
                                                   .bStride = dy.reStride,
                                                   .bGroupStride = dy.reGroupStride,
                                                   .initial = nullptr,
                                                   .initialGroupStride = 0,
                                                   .result = partial,
                                                   .resultStride = kFftGroup,
                                                   .resultGroupStride = kFftGroup * kFftGroup},
                                                  kFftGroup, aheadX);
            aheadDy.advance();
            Strip strip{.a = x.re + place,
                        .rowStride = 1,
                        .innerStride = x.rowStride,
                        .outerStride = 0,
                        .inner = job.count,
                        .outer = 1,
                        .b = dy.negativeSum + group * dy.groupStride,
                        .bStride = dy.stride,
                        .bGroupStride = dy.groupStride,
                        .initial = partial,
                        .initialGroupStride = kFftGroup * kFftGroup,
                        .result = result + c * resultStride + kFftGroup,
                        .resultStride = resultStride,
                        .resultGroupStride = kFftLine};
            multiplyStrip<together(), Sink::Keep>(strip, kFftGroup, aheadX);
            aheadDy.advance();
            strip.a = x.im + place;
            strip.b = dy.difference + group * dy.groupStride;
            strip.result -= kFftGroup;
            multiplyStrip<together(), Sink::Keep>(strip, kFftGroup, aheadX);
            aheadDy.advance();
        }
    });
}

template <class L>
void fillProduct(FftSpectrumKernels& table) {
    table.multiplyBin = &multiplyBin<L>;
    table.correlateBin = &correlateBin<L>;
}

void FillFftProduct(Kernels& kernels) {
    fillProduct<FullLines>(kernels.fft.full);
#if HALFSTEP_HALF_LINES
    fillProduct<HalfLines>(kernels.fft.half);
#endif
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
