// Two-dimensional transforms between a window of an NHWC image and its spectrum, 16 channels at a time.
//
// Real rows go two at a time through a complex transform, one as its real and one as its imaginary part; columns are
// complex. The rows of a tile stay in the second-level cache until its columns are done.
#include "engine/backend/cpu/kernels.h"
#include <algorithm>
#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/fft/window_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/fft/dft-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// Pixel i of a row of an image to `line` + i * kFftLine; zeros where the group has fewer than 16 channels.
template <class S, bool kWhole>
void loadPixels(const FftWindow& window, std::size_t offset, int count, std::size_t ahead, float* line) {
    const auto* from = static_cast<const typename S::Element*>(window.pixels) + offset;
    const std::size_t stride = window.columnStride;
    typename S::Element part[kFftGroup] = {};
    for (int i = 0; i < count; ++i) {
        hwy::Prefetch(from + ahead); // the stride is too large for the hardware to guess
        if constexpr (!kWhole) {
            std::copy_n(from, window.channels, part);
        }
        for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
            hn::Store(S::load((kWhole ? from : part) + h), F(), line + h);
        }
        from += stride;
        line += kFftLine;
    }
}

template <class S>
void loadRow(const FftWindow& window, std::size_t offset, int count, std::size_t ahead, float* line) {
    if (window.channels == kFftGroup) {
        loadPixels<S, true>(window, offset, count, ahead, line);
    } else {
        loadPixels<S, false>(window, offset, count, ahead, line);
    }
}

void loadRow(const FftWindow& window, int row, float* line) {
    const std::size_t offset = static_cast<std::size_t>(row - window.rowBegin) * window.rowStride;
    const int count = window.columnEnd - window.columnBegin;
    const std::size_t ahead = row + 2 < window.rowEnd ? 2 * window.rowStride : 0;
    line += window.columnBegin * kLine;
    switch (window.dtype) {
    case tensor::DType::Float32:
        return loadRow<Float32>(window, offset, count, ahead, line);
    case tensor::DType::Float16:
        return loadRow<Float16>(window, offset, count, ahead, line);
    case tensor::DType::BFloat16:
        return loadRow<BFloat16>(window, offset, count, ahead, line);
    }
}

template <class S, bool kWhole>
void storePixels(const FftWindow& window, std::size_t offset, int count, const float* line, const float* bias) {
    const F d;
    auto* to = static_cast<typename S::Element*>(window.pixels) + offset;
    const std::size_t stride = window.columnStride;
    typename S::Element part[kFftGroup];
    for (int i = 0; i < count; ++i) {
        for (std::size_t h = 0; h < kFftGroup; h += kLanes) {
            VF value = hn::Load(d, line + h);
            if (bias != nullptr) {
                value = hn::Add(value, hn::LoadU(d, bias + h));
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

template <class S>
void storeRow(const FftWindow& window, std::size_t offset, int count, const float* line, const float* bias) {
    if (window.channels == kFftGroup) {
        storePixels<S, true>(window, offset, count, line, bias);
    } else {
        storePixels<S, false>(window, offset, count, line, bias);
    }
}

void storeRow(const FftWindow& window, int row, const float* line, const float* bias) {
    const std::size_t offset = static_cast<std::size_t>(row - window.rowBegin) * window.rowStride;
    const int count = window.columnEnd - window.columnBegin;
    line += window.columnBegin * kLine;
    switch (window.dtype) {
    case tensor::DType::Float32:
        return storeRow<Float32>(window, offset, count, line, bias);
    case tensor::DType::Float16:
        return storeRow<Float16>(window, offset, count, line, bias);
    case tensor::DType::BFloat16:
        return storeRow<BFloat16>(window, offset, count, line, bias);
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

HWY_INLINE void streamLine(const float* from, float* to) {
    for (std::size_t h = 0; h < kFftLine; h += kLanes) {
        hn::Stream(hn::Load(F(), from + h), F(), to + h);
    }
}

template <int N1, int N2>
void forwardWindow(const FftWindow& window, float* bins, std::size_t binStride, float* work) {
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
    for (int row = window.rowBegin; row < window.rowEnd; row += 2) {
        loadRow(window, row, in);
        const bool pair = row + 1 < window.rowEnd;
        if (pair) {
            loadRow(window, row + 1, in + kFftGroup);
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
    for (int kx = 0; kx < kColumns; ++kx) {
        dftOfGroup<N1, N2>(rows + static_cast<std::size_t>(kx) * kColumn, out);
        float* to = bins + fftFirstBin(kTile, kx) * binStride;
        for (int ky = 0; ky < fftColumnBins(kTile, kx); ++ky) {
            streamLine(out + ky * kLine, to);
            to += binStride;
        }
    }
    hwy::FlushStream();
}

template <int N1, int N2>
void inverseWindow(const float* bins, std::size_t binStride, const FftWindow& window, const float* bias,
                   float* work) {
    constexpr int kTile = N1 * N2, kColumns = fftColumns(kTile);
    constexpr std::size_t kColumn = static_cast<std::size_t>(kTile) * kFftLine;
    const F d;
    float* in = work;
    float* out = in + kColumn;
    float* rows = out + kColumn; // [kx][row]

    const float* from = bins;
    for (int kx = 0; kx < kColumns; ++kx) {
        for (int ky = 0; ky < fftColumnBins(kTile, kx); ++ky) {
            for (std::size_t h = 0; h < kFftLine; h += kLanes) {
                hn::Store(hn::Load(d, from + h), d, in + ky * kLine + h);
            }
            if (kx + 1 < kColumns) { // the next column's lines lie far apart: no hardware guesses them
                const float* next = from + static_cast<std::size_t>(fftColumnBins(kTile, kx)) * binStride;
                hwy::Prefetch(next);
                hwy::Prefetch(next + kFftGroup);
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
        storeRow(window, row, out, bias);
        if (pair) {
            storeRow(window, row + 1, out + kFftGroup, bias);
        }
    }
}

template <int N1, int N2>
void fillTile(FftTileKernels& table) {
    table.forward = &forwardWindow<N1, N2>;
    table.inverse = &inverseWindow<N1, N2>;
}

void FillFftWindow(Kernels& kernels) {
    fillTile<3, 5>(kernels.fft.tiles[0]);
    fillTile<3, 7>(kernels.fft.tiles[1]);
    fillTile<5, 7>(kernels.fft.tiles[2]);
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
