#pragma once
#include "engine/backend/cpu/convolution.h"
#include "engine/backend/cpu/fft/fft_plan.h"
#include "engine/backend/cpu/fft/spectra.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/memory_ledger.h"
#include "engine/backend/cpu/scratch.h"
#include "engine/backend/cpu/thread_pool.h"
#include <vector>

namespace halfstep::backend::cpu {

/// Scratch memory that all FFT convolutions of a backend share, since they run one after the other.
struct FftScratch {
    struct Worker {
        Scratch spectra, work;
    };
    explicit FftScratch(int threads) : workers(static_cast<std::size_t>(threads)) {}

    std::vector<Worker> workers; ///< one for each thread of the pool
    Scratch weights, taps, bias, first, second, factors, tapFactors;
    const ReserveSpace* gradientOf = nullptr; ///< whose dy^, of a whole batch, lies in `second`; null if nobody's
};

/// What FftConvolution leaves in a ReserveSpace: x^ of a whole batch, part by part.
struct FftReserve {
    Scratch input;
    const void* filledBy = nullptr; ///< the convolution, since another one has another layout
};

/// What all FFT convolutions of a backend work with.
struct FftTools {
    ThreadPool& pool;
    const Kernels& kernels;
    const MemoryLedger& memory;
    FftScratch& scratch;
};

/// Convolutions of one geometry by two-dimensional Fourier transforms of tiles: fewer operations than a direct
/// convolution by 3 to 12 times for large kernels.
///
/// Inputs, their phases taken as channels, become spectra; then every bin of the spectrum is a small complex matrix
/// product of its own. The spectra of the weights are never stored: each column of them is made where it is used.
/// Every value is a sum in a fixed order, whichever thread computes it. A NaN or an infinity spreads over its tile.
class FftConvolution final : public Convolution {
public:
    FftConvolution(const ConvolutionGeometry& geometry, const FftPlan& plan, const FftTools& tools);

    ConvolutionAlgorithms algorithms(DType dtype, std::int64_t batch) const override;
    void forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y, ReserveSpace* reserve) override;
    void backwardWeights(const Tensor& x, const Tensor& dy, const Tensor& dw, ReserveSpace* reserve) override;
    void backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace* reserve) override;

private:
    /// One side of the convolution: a batch of images as spectra [bin][image * tiles + tile][channel / 16][re, im].
    struct Side {
        const tensor::Tensor* tensor;
        const FftAxis *rows, *columns;
        std::int64_t phases;           ///< along each axis: the stride, or 1
        std::int64_t padTop, padLeft;  ///< 0 where phases is 1
        std::int64_t rowsFrom, rowsTo; ///< positions of a tile that are transformed
        std::int64_t columnsFrom, columnsTo;
        std::int64_t height, width; ///< of the images' part that the convolution sees
    };
    /// The kernels for spectra of tensors of a dtype: in float16 for the 16-bit ones, where the CPU has them.
    const FftSpectrumKernels& kernelsOf(bool half) const {
        return half ? m_tools.kernels.fft.half : m_tools.kernels.fft.full;
    }
    bool halfSpectraOf(DType dtype) const {
        return dtype != DType::Float32 && m_tools.kernels.fft.half.multiplyBin != nullptr;
    }
    /// Of the three passes over a batch one after the other: spectra that one of them leaves are not made again.
    ConvolutionFlops flopsOfStep(std::int64_t batch) const;
    std::int64_t imagesAtATime(std::int64_t batch, std::int64_t tiles, bool half) const;
    /// The images that passes go over: all of a batch, or one part of it where the work is left out, since the others
    /// take the same memory.
    std::int64_t workedOn(std::int64_t batch, std::int64_t part) const;
    /// Gives every thread its scratch memory, so that which thread takes which task changes no memory count.
    void prepareWorkers(std::size_t spectra, std::size_t work);
    float* workOf(int worker) {
        return m_tools.scratch.workers[static_cast<std::size_t>(worker)].work.floats(m_tools.memory, 0);
    }
    float* spectraOf(int worker) {
        return m_tools.scratch.workers[static_cast<std::size_t>(worker)].spectra.floats(m_tools.memory, 0);
    }
    FftSpectra layoutOf(bool half, std::int64_t count, std::size_t channels) const;
    FftSpectra spectraOf(Scratch& scratch, const FftSpectra& layout);
    /// Where x^ of the images from `first` on lies, `part` of the batch at a time: in the reserve space, which has
    /// room for all parts, or, if `kept` is null, in scratch memory.
    FftSpectra inputSpectra(FftReserve* kept, std::int64_t first, std::int64_t part, std::int64_t batch);
    /// Null if there is no reserve space, or if x^ of the batch would take too much of it.
    bool canReserve(std::int64_t batch) const;
    FftReserve* reserveFor(ReserveSpace* reserve, std::int64_t batch) const;
    /// dy^ of the weight gradient is that of the data gradient, too.
    bool gradientsCoincide() const;
    template <class Visit>
    void forWindows(const Side& side, std::int64_t firstImage, std::int64_t images, const Visit& visit);
    void transform(const Side& side, std::int64_t firstImage, std::int64_t images, const FftSpectra& to);
    void inverse(const FftSpectra& from, const Side& side, std::int64_t firstImage, std::int64_t images,
                 const float* bias);
    /// Makes products with float16 spectra fit into float16: the taps [group][taps][16] of every group of outputs are
    /// divided by a power of two above the sum of their magnitudes, which goes to factors[group]; so no output is
    /// larger than the largest input of its row.
    void scaleTaps(std::size_t groups, std::size_t tapsPerGroup, float* taps, float* factors);
    /// y^ = x^ w^ in every bin; `tapFactors` are scaleTaps' for float16.
    void multiply(const FftSpectra& x, const float* taps, const float* tapFactors, const std::vector<float>& sines,
                  const FftSpectra& y);
    /// taps += the inverse transform of the sum over images of x^ conj(dy^).
    void correlate(const FftSpectra& x, const FftSpectra& dy, float* taps);
    Side inputSide(const tensor::Tensor& x) const;
    static Side outputSide(const tensor::Tensor& y, const FftAxis& rows, const FftAxis& columns, std::int64_t rowsTo,
                           std::int64_t columnsTo);
    Side gradientSide(const tensor::Tensor& dy) const;
    /// dx = 0 in the last rows and columns, which no output sees.
    void clearUnused(const tensor::Tensor& dx);
    const float* plainBias(const tensor::Tensor& b);
    const float* plainWeights(const tensor::Tensor& w);
    // In whole groups of 16, as they lie in spectra and taps.
    std::size_t inputs() const { return static_cast<std::size_t>(m_g.stride * m_g.stride * fftWhole(m_g.channels)); }
    std::size_t filters() const { return static_cast<std::size_t>(fftWhole(m_g.filters)); }
    std::size_t tapsPerPair() const { return static_cast<std::size_t>(m_plan.tapRows * m_plan.tapColumns); }

    ConvolutionGeometry m_g;
    FftPlan m_plan;
    FftTools m_tools;
    std::size_t m_mostPanels;
    std::vector<float> m_cosines, m_sines, m_negativeSines;
};

} // namespace halfstep::backend::cpu
