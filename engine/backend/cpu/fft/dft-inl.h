// Complex discrete Fourier transforms of 15, 21, 35 and 45 values, one vector of channels wide. Included once for
// each instruction set, like lanes-inl.h.
#if defined(HALFSTEP_DFT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFSTEP_DFT_INL_H_
#undef HALFSTEP_DFT_INL_H_
#else
#define HALFSTEP_DFT_INL_H_
#endif

#include "engine/backend/cpu/fft/fft_kernels.h"
#include "engine/backend/cpu/fft/unroll.h"
#include "engine/backend/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

inline constexpr std::size_t kLanes = hn::MaxLanes(F());
static_assert(kLanes <= kFftGroup);
inline constexpr int kVectors = static_cast<int>(kFftGroup / kLanes); ///< of a group
inline constexpr int kLine = static_cast<int>(kFftLine);

/// cos and sin of 2 pi m / N.
template <int N>
struct Circle;
template <>
struct Circle<3> {
    static constexpr float kCos[] = {1.0f, -0.5f};
    static constexpr float kSin[] = {0.0f, 0.866025403784438647f};
};
template <>
struct Circle<5> {
    static constexpr float kCos[] = {1.0f, 0.309016994374947424f, -0.809016994374947424f};
    static constexpr float kSin[] = {0.0f, 0.951056516295153572f, 0.587785252292473129f};
};
template <>
struct Circle<7> {
    static constexpr float kCos[] = {1.0f, 0.623489801858733531f, -0.222520933956314404f, -0.900968867902419126f};
    static constexpr float kSin[] = {0.0f, 0.781831482468029809f, 0.974927912181823607f, 0.433883739117558120f};
};
template <>
struct Circle<9> {
    static constexpr float kCos[] = {1.0f, 0.766044443118978013f, 0.173648177666930414f, -0.499999999999999778f,
                                     -0.939692620785908317f};
    static constexpr float kSin[] = {0.0f, 0.642787609686539252f, 0.984807753012208020f, 0.866025403784438708f,
                                     0.342020143325668879f};
};
template <int N>
constexpr float cosineOf(int m) {
    m %= N;
    return Circle<N>::kCos[m > N / 2 ? N - m : m];
}
template <int N>
constexpr float sineOf(int m) {
    m %= N;
    return m > N / 2 ? -Circle<N>::kSin[N - m] : Circle<N>::kSin[m];
}

/// The DFT of N values in place, N odd: sums and differences of opposite values, then real factors alone.
template <int N>
HWY_INLINE void dftOfFew(VF (&re)[N], VF (&im)[N]) {
    constexpr int kHalf = (N - 1) / 2;
    const F d;
    VF sumRe[kHalf], sumIm[kHalf], differenceRe[kHalf], differenceIm[kHalf];
    VF totalRe = re[0], totalIm = im[0];
    HALFSTEP_UNROLL
    for (int j = 0; j < kHalf; ++j) {
        sumRe[j] = hn::Add(re[j + 1], re[N - 1 - j]);
        sumIm[j] = hn::Add(im[j + 1], im[N - 1 - j]);
        differenceRe[j] = hn::Sub(re[j + 1], re[N - 1 - j]);
        differenceIm[j] = hn::Sub(im[j + 1], im[N - 1 - j]);
        totalRe = hn::Add(totalRe, sumRe[j]);
        totalIm = hn::Add(totalIm, sumIm[j]);
    }
    HALFSTEP_UNROLL
    for (int k = 1; k <= kHalf; ++k) {
        VF evenRe = re[0], evenIm = im[0];
        VF oddRe = hn::Mul(differenceIm[0], hn::Set(d, sineOf<N>(k)));
        VF oddIm = hn::Mul(differenceRe[0], hn::Set(d, sineOf<N>(k)));
        HALFSTEP_UNROLL
        for (int j = 0; j < kHalf; ++j) {
            evenRe = hn::MulAdd(sumRe[j], hn::Set(d, cosineOf<N>(k * (j + 1))), evenRe);
            evenIm = hn::MulAdd(sumIm[j], hn::Set(d, cosineOf<N>(k * (j + 1))), evenIm);
        }
        HALFSTEP_UNROLL
        for (int j = 1; j < kHalf; ++j) {
            oddRe = hn::MulAdd(differenceIm[j], hn::Set(d, sineOf<N>(k * (j + 1))), oddRe);
            oddIm = hn::MulAdd(differenceRe[j], hn::Set(d, sineOf<N>(k * (j + 1))), oddIm);
        }
        re[k] = hn::Add(evenRe, oddRe);
        re[N - k] = hn::Sub(evenRe, oddRe);
        im[k] = hn::Sub(evenIm, oddIm);
        im[N - k] = hn::Add(evenIm, oddIm);
    }
    re[0] = totalRe;
    im[0] = totalIm;
}

/// x with a x = 1 mod n
constexpr int inverseModulo(int a, int n) {
    int x = 1;
    while (a * x % n != 1) {
        ++x;
    }
    return x;
}

/// The DFT of N1 N2 values that lie kFftLine floats apart. With the real and imaginary pointers exchanged, in and
/// out, it is the inverse times N1 N2.
template <int N1, int N2>
HWY_NOINLINE void dft(const float* inRe, const float* inIm, float* outRe, float* outIm) {
    constexpr int kTile = N1 * N2;
    // The place k of a result has k mod N1 = k1 and k mod N2 = k2 (Chinese remainder theorem).
    constexpr int kPlace1 = N2 * inverseModulo(N2, N1);
    constexpr int kPlace2 = N1 * inverseModulo(N1, N2);
    const F d;
    VF re[kTile], im[kTile];
    HALFSTEP_UNROLL
    for (int n2 = 0; n2 < N2; ++n2) {
        VF partRe[N1], partIm[N1];
        HALFSTEP_UNROLL
        for (int n1 = 0; n1 < N1; ++n1) {
            const int n = (N2 * n1 + N1 * n2) % kTile;
            partRe[n1] = hn::Load(d, inRe + n * kLine);
            partIm[n1] = hn::Load(d, inIm + n * kLine);
        }
        dftOfFew<N1>(partRe, partIm);
        HALFSTEP_UNROLL
        for (int k1 = 0; k1 < N1; ++k1) {
            re[k1 * N2 + n2] = partRe[k1];
            im[k1 * N2 + n2] = partIm[k1];
        }
    }
    HALFSTEP_KEEP_IN_MEMORY(re, im);
    HALFSTEP_UNROLL
    for (int k1 = 0; k1 < N1; ++k1) {
        VF partRe[N2], partIm[N2];
        HALFSTEP_UNROLL
        for (int n2 = 0; n2 < N2; ++n2) {
            partRe[n2] = re[k1 * N2 + n2];
            partIm[n2] = im[k1 * N2 + n2];
        }
        dftOfFew<N2>(partRe, partIm);
        HALFSTEP_UNROLL
        for (int k2 = 0; k2 < N2; ++k2) {
            const int k = (k1 * kPlace1 + k2 * kPlace2) % kTile;
            hn::Store(partRe[k2], d, outRe + k * kLine);
            hn::Store(partIm[k2], d, outIm + k * kLine);
        }
    }
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();
#endif
