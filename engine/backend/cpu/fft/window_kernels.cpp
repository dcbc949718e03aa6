// Two-dimensional transforms between a window of an NHWC image and its spectrum, 16 channels at a time.
//
// Real rows go two at a time through a complex transform, one as its real and one as its imaginary part; columns are
// complex. The rows of a tile stay in the second-level cache until its columns are done.
#include "engine/backend/cpu/kernels.h"
#include <algorithm>
#include <cmath>
#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/fft/window_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/fft/lines-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// Pixel i of a row of an image to `line` + i * kFftLine; zeros where the group has fewer than 16 channels. Returns
/// the larger ones of `largest` and the magnitudes, if they are asked for.
template <class S, bool kWhole, bool kLargest>
VF loadPixels(const FftWindow& window, std::size_t offset, int count, std::size_t ahead, float* line, VF largest) {
    const auto* from = static_cast<const typename S::Element*>(window.pixels) + offset;
    const std::size_t stride = window.columnStride;
    typename S::Element part[kFftGroup] = {};
    for (int i = 0; i < count; ++i) {
        hwy::Prefetch(from + ahead); // the stride is too large for the hardware to guess
        if constexpr (!kWhole) {
            std::copy_n(from, window.channels, part);
        }
        for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
            const VF value = S::load((kWhole ? from : part) + h);
            hn::Store(value, F(), line + h);
            if constexpr (kLargest) {
                largest = hn::Max(largest, hn::Abs(value));
            }
        }
        from += stride;
        line += kFftLine;
    }
    return largest;
}

template <class S, bool kLargest>
VF loadRow(const FftWindow& window, std::size_t offset, int count, std::size_t ahead, float* line, VF largest) {
    return window.channels == kFftGroup ? loadPixels<S, true, kLargest>(window, offset, count, ahead, line, largest)
                                        : loadPixels<S, false, kLargest>(window, offset, count, ahead, line, largest);
}

template <bool kLargest>
VF loadRow(const FftWindow& window, int row, float* line, VF largest) {
    const std::size_t offset = static_cast<std::size_t>(row - window.rowBegin) * window.rowStride;
    const int count = window.columnEnd - window.columnBegin;
    const std::size_t ahead = row + 2 < window.rowEnd ? 2 * window.rowStride : 0;
    line += window.columnBegin * kLine;
    switch (window.dtype) {
    case tensor::DType::Float32:
        return loadRow<Float32, kLargest>(window, offset, count, ahead, line, largest);
    case tensor::DType::Float16:
        return loadRow<Float16, kLargest>(window, offset, count, ahead, line, largest);
    case tensor::DType::BFloat16:
        return loadRow<BFloat16, kLargest>(window, offset, count, ahead, line, largest);
    }
    return largest;
}

/// How values change on their way to the image: times a factor, or not; plus bias and through ReLU, or not.
struct Finish {
    float factor;
    const float* bias;
};

template <class S, bool kWhole, bool kScaled>
void storePixels(const FftWindow& window, std::size_t offset, int count, const float* line, const Finish& finish) {
    const F d;
    auto* to = static_cast<typename S::Element*>(window.pixels) + offset;
    const std::size_t stride = window.columnStride;
    typename S::Element part[kFftGroup];
    for (int i = 0; i < count; ++i) {
        for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
            VF value = hn::Load(d, line + h);
            if constexpr (kScaled) {
                value = hn::Mul(value, hn::Set(d, finish.factor));
            }
            if (finish.bias != nullptr) {
                value = hn::Add(value, hn::LoadU(d, finish.bias + h));
                value = hn::IfThenZeroElse(hn::Lt(value, hn::Zero(d)), value); // NaN is not less: it stays
            }
            S::store(value, (kWhole ? to : part) + h);
        }
        if constexpr (!kWhole) {
            std::copy_n(part, window.channels, to);
        }
        to += stride;
        line += kFftLine;
    }
}

template <class S, bool kScaled>
void storeRow(const FftWindow& window, std::size_t offset, int count, const float* line, const Finish& finish) {
    if (window.channels == kFftGroup) {
        storePixels<S, true, kScaled>(window, offset, count, line, finish);
    } else {
        storePixels<S, false, kScaled>(window, offset, count, line, finish);
    }
}

template <bool kScaled>
void storeRow(const FftWindow& window, int row, const float* line, const Finish& finish) {
    const std::size_t offset = static_cast<std::size_t>(row - window.rowBegin) * window.rowStride;
    const int count = window.columnEnd - window.columnBegin;
    line += window.columnBegin * kLine;
    switch (window.dtype) {
    case tensor::DType::Float32:
        return storeRow<Float32, kScaled>(window, offset, count, line, finish);
    case tensor::DType::Float16:
        return storeRow<Float16, kScaled>(window, offset, count, line, finish);
    case tensor::DType::BFloat16:
        return storeRow<BFloat16, kScaled>(window, offset, count, line, finish);
    }
}

/// Both halves of a group: 16 channels, however wide a vector is.
template <int N1, int N2>
HWY_INLINE void dftOfGroup(const float* in, float* out) {
    for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
        dft<N1, N2>(in + h, in + kFftGroup + h, out + h, out + kFftGroup + h);
    }
}
template <int N1, int N2>
HWY_INLINE void inverseDftOfGroup(const float* in, float* out) {
    for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
        dft<N1, N2>(in + kFftGroup + h, in + h, out + kFftGroup + h, out + h);
    }
}

/// From the transform z of a + ib, a and b real: 2 a^ and 2 b^, with their strides from one kx to the next.
template <int kTile>
HWY_INLINE void separateRows(const float* z, std::size_t aStride, float* a, std::size_t bStride, float* b) {
    const F d;
    for (int kx = 0; kx < fftColumns(kTile); ++kx) {
        const float* low = z + kx * kLine;
        const float* high = z + (kx == 0 ? 0 : kTile - kx) * kLine;
        for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
            const VF lowRe = hn::Load(d, low + h), lowIm = hn::Load(d, low + kFftGroup + h);
            const VF highRe = hn::Load(d, high + h), highIm = hn::Load(d, high + kFftGroup + h);
            hn::Store(hn::Add(lowRe, highRe), d, a + h);
            hn::Store(hn::Sub(lowIm, highIm), d, a + kFftGroup + h);
            hn::Store(hn::Add(lowIm, highIm), d, b + h);
            hn::Store(hn::Sub(highRe, lowRe), d, b + kFftGroup + h);
        }
        a += aStride;
        b += bStride;
    }
}

/// The transform of a + ib for the rows a and b, of which kx lie `columnStride` floats apart.
template <int kTile>
HWY_INLINE void joinRows(const float* a, const float* b, std::size_t columnStride, float* z) {
    const F d;
    for (int kx = 0; kx < fftColumns(kTile); ++kx) {
        float* low = z + kx * kLine;
        float* high = z + (kx == 0 ? 0 : kTile - kx) * kLine;
        for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
            const VF aRe = hn::Load(d, a + h), aIm = hn::Load(d, a + kFftGroup + h);
            const VF bRe = hn::Load(d, b + h), bIm = hn::Load(d, b + kFftGroup + h);
            hn::Store(hn::Add(aRe, bIm), d, high + h);
            hn::Store(hn::Sub(bRe, aIm), d, high + kFftGroup + h);
            // Last, so that kx = 0, where high is low, keeps these: there the imaginary parts are zero.
            hn::Store(hn::Sub(aRe, bIm), d, low + h);
            hn::Store(hn::Add(aIm, bRe), d, low + kFftGroup + h);
        }
        a += columnStride;
        b += columnStride;
    }
}

template <class L>
HWY_INLINE void streamLine(const float* from, VF inverseFactor, typename L::Element* to) {
    for (std::size_t h = 0; h < kFftLine; h += kLanes) {
        const VF value = hn::Load(F(), from + h);
        L::stream(L::kScaled ? hn::Mul(value, inverseFactor) : value, to + h);
    }
}

/// The factor of FftTileKernels::forward.
template <int kTile>
float factorOf(VF largest) {
    alignas(64) float lanes[kLanes];
    hn::Store(largest, F(), lanes);
    const double bound = 2.0 * kTile * kTile * static_cast<double>(*std::max_element(lanes, lanes + kLanes));
    if (bound == 0) {
        return kFftLeastFactor;
    }
    // Of a window that is not finite all values will be lost: any factor will do.
    return std::isfinite(bound) ? std::max(std::ldexp(1.0f, std::min(std::ilogb(bound) - 14, 120)), kFftLeastFactor)
                                : 1.0f;
}

template <class L, int N1, int N2>
float forwardWindow(const FftWindow& window, void* binsAsStored, std::size_t binStride, float* work) {
    auto* bins = static_cast<typename L::Element*>(binsAsStored);
    constexpr int kTile = N1 * N2, kColumns = fftColumns(kTile);
    constexpr std::size_t kColumn = static_cast<std::size_t>(kTile) * kFftLine;
    float* in = work;
    float* out = in + kColumn;
    float* rows = out + kColumn; // [kx][row]

    for (int kx = 0; kx < kColumns; ++kx) {
        float* column = rows + static_cast<std::size_t>(kx) * kColumn;
        std::fill_n(column, window.rowBegin * kLine, 0.0f);
        std::fill(column + window.rowEnd * kLine, column + kColumn, 0.0f);
    }
    std::fill_n(in, window.columnBegin * kLine, 0.0f);
    std::fill(in + window.columnEnd * kLine, in + kColumn, 0.0f);
    VF largest = hn::Zero(F());
    for (int row = window.rowBegin; row < window.rowEnd; row += 2) {
        largest = loadRow<L::kScaled>(window, row, in, largest);
        const bool pair = row + 1 < window.rowEnd;
        if (pair) {
            largest = loadRow<L::kScaled>(window, row + 1, in + kFftGroup, largest);
        } else {
            for (int i = window.columnBegin; i < window.columnEnd; ++i) {
                std::fill_n(in + i * kLine + kFftGroup, kFftGroup, 0.0f);
            }
        }
        dftOfGroup<N1, N2>(in, out);
        float* a = rows + row * kLine;
        if (pair) {
            separateRows<kTile>(out, kColumn, a, kColumn, a + kFftLine);
        } else {
            separateRows<kTile>(out, kColumn, a, 0, in); // it has no partner, and `in` has done its work
        }
    }
    const float factor = L::kScaled ? factorOf<kTile>(largest) : 1.0f;
    const VF inverseFactor = hn::Set(F(), 1.0f / factor);
    for (int kx = 0; kx < kColumns; ++kx) {
        dftOfGroup<N1, N2>(rows + static_cast<std::size_t>(kx) * kColumn, out);
        typename L::Element* to = bins + fftFirstBin(kTile, kx) * binStride;
        for (int ky = 0; ky < fftColumnBins(kTile, kx); ++ky) {
            streamLine<L>(out + ky * kLine, inverseFactor, to);
            to += binStride;
        }
    }
    hwy::FlushStream();
    return factor;
}

template <class L, int N1, int N2>
void inverseWindow(const void* bins, std::size_t binStride, const FftWindow& window, const float* bias, float factor,
                   float* work) {
    using Element = typename L::Element;
    constexpr int kTile = N1 * N2, kColumns = fftColumns(kTile);
    constexpr std::size_t kColumn = static_cast<std::size_t>(kTile) * kFftLine;
    const F d;
    float* in = work;
    float* out = in + kColumn;
    float* rows = out + kColumn; // [kx][row]

    const auto* from = static_cast<const Element*>(bins);
    for (int kx = 0; kx < kColumns; ++kx) {
        for (int ky = 0; ky < fftColumnBins(kTile, kx); ++ky) {
            for (std::size_t h = 0; h < kFftLine; h += kLanes) {
                hn::Store(L::load(from + h), d, in + ky * kLine + h);
            }
            if (kx + 1 < kColumns) { // the next column's lines lie far apart: no hardware guesses them
                const Element* next = from + static_cast<std::size_t>(fftColumnBins(kTile, kx)) * binStride;
                hwy::Prefetch(next);
                if constexpr (sizeof(Element) == sizeof(float)) {
                    hwy::Prefetch(next + kFftGroup); // a float16 line is one cache line
                }
            }
            from += binStride;
        }
        if (kx == 0) { // of a real signal: the other half is its conjugate
            for (int ky = kColumns; ky < kTile; ++ky) {
                for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
                    const float* other = in + (kTile - ky) * kLine + h;
                    hn::Store(hn::Load(d, other), d, in + ky * kLine + h);
                    hn::Store(hn::Neg(hn::Load(d, other + kFftGroup)), d, in + ky * kLine + kFftGroup + h);
                }
            }
        }
        inverseDftOfGroup<N1, N2>(in, rows + static_cast<std::size_t>(kx) * kColumn);
    }
    for (int row = window.rowBegin; row < window.rowEnd; row += 2) {
        const bool pair = row + 1 < window.rowEnd;
        const float* a = rows + row * kLine;
        joinRows<kTile>(a, pair ? a + kFftLine : a, kColumn, in);
        inverseDftOfGroup<N1, N2>(in, out);
        storeRow<L::kScaled>(window, row, out, {factor, bias});
        if (pair) {
            storeRow<L::kScaled>(window, row + 1, out + kFftGroup, {factor, bias});
        }
    }
}

template <class L>
void fillTiles(std::array<FftTileKernels, kFftTiles.size()>& tiles) {
    tiles[0] = {&forwardWindow<L, 3, 5>, &inverseWindow<L, 3, 5>};
    tiles[1] = {&forwardWindow<L, 3, 7>, &inverseWindow<L, 3, 7>};
    tiles[2] = {&forwardWindow<L, 5, 7>, &inverseWindow<L, 5, 7>};
    tiles[3] = {&forwardWindow<L, 5, 9>, &inverseWindow<L, 5, 9>};
}

void FillFftWindow(Kernels& kernels) {
    fillTiles<FullLines>(kernels.fft.full.tiles);
#if HALFSTEP_HALF_LINES
    fillTiles<HalfLines>(kernels.fft.half.tiles);
#endif
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillFftWindow);
void fillFftWindowKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillFftWindow)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
