// Complex matrix products, one bin of the spectra at a time, by three real products (Gauss):
//   p = (a.re + a.im) b.re,  im = p + a.re (b.im - b.re),  re = p - a.im (b.re + b.im)
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
