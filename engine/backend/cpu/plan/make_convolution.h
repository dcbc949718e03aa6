#pragma once
#include "engine/backend/cpu/direct_convolution.h"
#include "engine/backend/cpu/fft/fft_convolution.h"
#include "engine/backend/cpu/plan/convolution_method.h"
#include <memory>

namespace halfstep::backend::cpu {

/// Scratch memory of all methods.
struct ConvolutionScratches {
    explicit ConvolutionScratches(int threads) : direct(threads), fft(threads) {}
    ConvolutionScratch direct;
    FftScratch fft;
};

struct MethodTools {
    ThreadPool& pool;
    const Kernels& kernels;
    const MemoryLedger& memory;
    ConvolutionScratches& scratch;
    std::string_view isa; ///< as in ConvolutionTools
};

/// The convolution of batches of one size, which `method` must fit.
std::unique_ptr<Convolution> makeConvolution(const ConvolutionMethod& method, ConvolutionGeometry geometry,
                                             std::int64_t batch, const MethodTools& tools);

} // namespace halfstep::backend::cpu
