// Between the taps of the weights, few in number, and one column of their spectra: direct sums, since J of T values
// are not zero. Bins ky and T - ky share their products.
#include "engine/backend/cpu/kernels.h"
#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/fft/weight_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/fft/dft-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

constexpr int kMostPairs = (kFftTiles.back() - 1) / 2;
/// Taps along an axis, rounded up to a whole number of pairs of them.
constexpr int kTapSlots = kFftMaximumTaps + 1;

/// Vectors that are worked on at a time: two, where a group has more than one.
constexpr std::size_t kTogether = kLanes < kFftGroup ? 2 : 1;

/// cos and sin of the angle of every pair of bins and every tap, [pair][tap][cos, sin].
struct PairAngles {
    alignas(64) float values[kMostPairs * kTapSlots * 2] = {};

    PairAngles(const FftAngles& angles, int taps) {
        for (int pair = 0; pair < (angles.tile - 1) / 2; ++pair) {
            for (int tap = 0; tap < taps; ++tap) {
                const int n = (pair + 1) * tap % angles.tile;
                values[(pair * kTapSlots + tap) * 2] = angles.cosines[n];
                values[(pair * kTapSlots + tap) * 2 + 1] = angles.sines[n];
            }
        }
    }
};

/// cos and sin of the angle of column kx and every tap.
struct ColumnAngles {
    float cosines[kTapSlots] = {}, sines[kTapSlots] = {};

    ColumnAngles(const FftAngles& angles, int kx, int taps) {
        for (int tap = 0; tap < taps; ++tap) {
            cosines[tap] = angles.cosines[kx * tap % angles.tile];
            sines[tap] = angles.sines[kx * tap % angles.tile];
        }
    }
};

/// Stores re, im - re and -(re + im) of the bin with the real part `re` and the imaginary part `im`.
HWY_INLINE void storeParts(VF re, VF im, std::size_t panelStride, float* to) {
    const F d;
    hn::Store(re, d, to);
    hn::Store(hn::Sub(im, re), d, to + panelStride);
    hn::Store(hn::Neg(hn::Add(re, im)), d, to + 2 * panelStride);
}

void weightRows(const FftWeightSpectra& job, int kx) {
    const F d;
    const ColumnAngles angles(job.angles, kx, job.columns);
    const std::size_t tapCount = static_cast<std::size_t>(job.rows * job.columns);
    float* to = job.rowSpectra;
    for (std::size_t item = 0; item < job.reduction * job.groupCount; ++item) {
        const std::size_t k = item / job.groupCount, group = item % job.groupCount;
        const float* tap = job.taps + (group * job.reduction + k) * tapCount * kFftGroup;
        for (int row = 0; row < job.rows; ++row) {
            VF re[kVectors], im[kVectors];
            HALFSTEP_UNROLL
            for (int v = 0; v < kVectors; ++v) {
                re[v] = hn::Load(d, tap + v * kLanes);
                im[v] = hn::Zero(d);
            }
            tap += kFftGroup;
            for (int jx = 1; jx < job.columns; ++jx) {
                const VF cosine = hn::Set(d, angles.cosines[jx]), sine = hn::Set(d, angles.sines[jx]);
                HALFSTEP_UNROLL
                for (int v = 0; v < kVectors; ++v) {
                    const VF value = hn::Load(d, tap + v * kLanes);
                    re[v] = hn::MulAdd(value, cosine, re[v]);
                    im[v] = hn::MulAdd(value, sine, im[v]);
                }
                tap += kFftGroup;
            }
            HALFSTEP_UNROLL
            for (int v = 0; v < kVectors; ++v) {
                hn::Store(re[v], d, to + v * kLanes);
                hn::Store(im[v], d, to + kFftGroup + v * kLanes);
            }
            to += kFftLine;
        }
    }
}

/// The bins ky and tile - ky for one (reduction index, group) and kTogether vectors of its 16 outputs.
HWY_INLINE void weightPair(const float* rows, int rowCount, const float* angles, std::size_t panelStride, float* low,
                           float* high) {
    const F d;
    VF cosRe[kTogether], cosIm[kTogether], sinRe[kTogether], sinIm[kTogether];
    HALFSTEP_UNROLL
    for (std::size_t v = 0; v < kTogether; ++v) {
        cosRe[v] = hn::Load(d, rows + v * kLanes);
        cosIm[v] = hn::Load(d, rows + kFftGroup + v * kLanes);
        sinRe[v] = sinIm[v] = hn::Zero(d);
    }
    for (int jy = 1; jy < rowCount; ++jy) {
        rows += kFftLine;
        const VF cosine = hn::Set(d, angles[2 * jy]), sine = hn::Set(d, angles[2 * jy + 1]);
        HALFSTEP_UNROLL
        for (std::size_t v = 0; v < kTogether; ++v) {
            const VF re = hn::Load(d, rows + v * kLanes), im = hn::Load(d, rows + kFftGroup + v * kLanes);
            cosRe[v] = hn::MulAdd(re, cosine, cosRe[v]);
            cosIm[v] = hn::MulAdd(im, cosine, cosIm[v]);
            sinRe[v] = hn::MulAdd(re, sine, sinRe[v]);
            sinIm[v] = hn::MulAdd(im, sine, sinIm[v]);
        }
    }
    HALFSTEP_UNROLL
    for (std::size_t v = 0; v < kTogether; ++v) {
        storeParts(hn::Sub(cosRe[v], sinIm[v]), hn::Add(cosIm[v], sinRe[v]), panelStride, low + v * kLanes);
        storeParts(hn::Add(cosRe[v], sinIm[v]), hn::Sub(cosIm[v], sinRe[v]), panelStride, high + v * kLanes);
    }
}

void weightBins(const FftWeightSpectra& job, int ky) {
    // The same for ky as for a column of the taps' rows.
    const ColumnAngles at(job.angles, ky, job.rows);
    float angles[2 * kTapSlots];
    for (int tap = 0; tap < kTapSlots; ++tap) {
        angles[2 * tap] = at.cosines[tap];
        angles[2 * tap + 1] = at.sines[tap];
    }
    const float* rows = job.rowSpectra;
    for (std::size_t k = 0; k < job.reduction; ++k) {
        for (std::size_t group = 0; group < job.groupCount; ++group) {
            float* low = job.panels + group * 3 * job.panelStride + k * kFftGroup;
            float* high = low + job.groupCount * 3 * job.panelStride;
            for (std::size_t h = 0; h < kFftGroup; h += kTogether * kLanes) {
                weightPair(rows + h, job.rows, angles, job.panelStride, low + h, high + h);
            }
            rows += static_cast<std::size_t>(job.rows) * kFftLine;
        }
    }
}

/// c[jy] = sum over ky of the spectrum times e^(2 pi i jy ky / tile) for one vector of outputs, [jy][re, im].
HWY_INLINE void columnTaps(const FftTapGradients& job, const PairAngles& pairs, int pairCount, bool both,
                           const float* spectrum, std::size_t kyStride, VF (&c)[kTapSlots][2]) {
    const F d;
    VF folded[kMostPairs][4]; // re of the sum, im of the sum, re of the difference, im of the difference
    for (int pair = 0; pair < pairCount; ++pair) {
        const float* low = spectrum + static_cast<std::size_t>(pair + 1) * kyStride;
        const float* high = spectrum + static_cast<std::size_t>(job.angles.tile - pair - 1) * kyStride;
        for (const float* ahead : {low + 2 * kFftLine, high + 2 * kFftLine}) { // more streams than hardware follows
            hwy::Prefetch(ahead);
            hwy::Prefetch(ahead + kFftGroup);
        }
        const VF lowRe = hn::Load(d, low), lowIm = hn::Load(d, low + kFftGroup);
        // Of column kx = 0 only one half is there; the other is its conjugate.
        const VF highRe = both ? hn::Load(d, high) : lowRe;
        const VF highIm = both ? hn::Load(d, high + kFftGroup) : hn::Neg(lowIm);
        folded[pair][0] = hn::Add(lowRe, highRe);
        folded[pair][1] = hn::Add(lowIm, highIm);
        folded[pair][2] = hn::Sub(lowRe, highRe);
        folded[pair][3] = hn::Sub(lowIm, highIm);
    }
    const VF firstRe = hn::Load(d, spectrum), firstIm = hn::Load(d, spectrum + kFftGroup);
    for (int jy = 0; jy < job.rows; jy += 2) {
        VF re0 = firstRe, im0 = firstIm, re1 = firstRe, im1 = firstIm;
        for (int pair = 0; pair < pairCount; ++pair) {
            const float* angles = pairs.values + (pair * kTapSlots + jy) * 2;
            const VF cos0 = hn::Set(d, angles[0]), sin0 = hn::Set(d, angles[1]);
            const VF cos1 = hn::Set(d, angles[2]), sin1 = hn::Set(d, angles[3]);
            re0 = hn::MulAdd(folded[pair][0], cos0, re0);
            im0 = hn::MulAdd(folded[pair][1], cos0, im0);
            re1 = hn::MulAdd(folded[pair][0], cos1, re1);
            im1 = hn::MulAdd(folded[pair][1], cos1, im1);
            re0 = hn::NegMulAdd(folded[pair][3], sin0, re0);
            im0 = hn::MulAdd(folded[pair][2], sin0, im0);
            re1 = hn::NegMulAdd(folded[pair][3], sin1, re1);
            im1 = hn::MulAdd(folded[pair][2], sin1, im1);
        }
        c[jy][0] = re0;
        c[jy][1] = im0;
        c[jy + 1][0] = re1;
        c[jy + 1][1] = im1;
    }
}

void tapGradients(const FftTapGradients& job, int kx) {
    const F d;
    const PairAngles pairs(job.angles, job.rows);
    const ColumnAngles column(job.angles, kx, job.columns);
    const int pairCount = (job.angles.tile - 1) / 2;
    const std::size_t items = job.reduction * job.groups;
    // Every other column stands for its conjugate, too.
    const VF times = hn::Set(d, kx == 0 ? 1.0f : 2.0f);
    for (std::size_t item = 0; item < items; ++item) {
        for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
            VF c[kTapSlots][2];
            columnTaps(job, pairs, pairCount, kx > 0, job.spectra + item * kFftLine + h, job.kyStride, c);
            float* tap = job.taps + item * static_cast<std::size_t>(job.rows * job.columns) * kFftGroup + h;
            for (int jy = 0; jy < job.rows; ++jy) {
                const VF re = hn::Mul(c[jy][0], times), im = hn::Mul(c[jy][1], times);
                for (int jx = 0; jx < job.columns; ++jx) {
                    VF sum = hn::MulAdd(re, hn::Set(d, column.cosines[jx]), hn::Load(d, tap));
                    sum = hn::NegMulAdd(im, hn::Set(d, column.sines[jx]), sum);
                    hn::Store(sum, d, tap);
                    tap += kFftGroup;
                }
            }
        }
    }
}

void FillFftWeight(Kernels& kernels) {
    kernels.fft.weightRows = &weightRows;
    kernels.fft.weightBins = &weightBins;
    kernels.fft.tapGradients = &tapGradients;
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillFftWeight);
void fillFftWeightKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillFftWeight)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
