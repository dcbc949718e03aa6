#pragma once
#include "engine/backend/cpu/direct_convolution.h"
#include "engine/backend/cpu/fft/fft_convolution.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/memory_ledger.h"
#include "engine/backend/cpu/thread_pool.h"
#include <map>
#include <memory>
#include <string>

namespace halfstep::backend::cpu {

/// Which way each convolution goes. They are made when first asked for, and share their scratch memory.
class ConvolutionChoice {
public:
    /// `method` is "auto", "fft" or "direct", `isa` what oneDNN is held to; the rest outlives this.
    ConvolutionChoice(std::string method, std::string isa, ThreadPool& pool, const Kernels& kernels,
                      MemoryLedger& memory);

    /// The convolution of a batch x [N, H, W, C] by kernels w [R, S, C, K].
    Convolution& of(const Shape& x, const Shape& w, const ConvolutionOptions& options);

private:
    /// By FFT; null where it does not fit, is slower by the cost model, or is not wanted.
    Convolution* fft(const ConvolutionGeometry& geometry, std::int64_t batch);

    std::string m_method, m_isa;
    ThreadPool& m_pool;
    const Kernels& m_kernels;
    MemoryLedger& m_memory;
    ConvolutionScratch m_scratch;
    FftScratch m_fftScratch;
    std::map<ConvolutionGeometry, std::unique_ptr<Convolution>> m_convolutions;
    /// By geometry and batch; null where the direct one is used.
    std::map<ConvolutionGeometry, std::unique_ptr<FftConvolution>> m_fftConvolutions;
};

} // namespace halfstep::backend::cpu
