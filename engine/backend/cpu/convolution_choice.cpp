#include "engine/backend/cpu/convolution_choice.h"
#include "engine/backend/cpu/fft/fft_cost.h"
#include "engine/backend/cpu/narrow/narrow_convolution.h"
#include "engine/backend/cpu/one_dnn.h"

namespace halfstep::backend::cpu {

ConvolutionChoice::ConvolutionChoice(std::string method, std::string isa, ThreadPool& pool, const Kernels& kernels,
                                     MemoryLedger& memory)
    : m_method(std::move(method)),
      m_isa(std::move(isa)),
      m_pool(pool),
      m_kernels(kernels),
      m_memory(memory),
      m_scratch(pool.threads()),
      m_fftScratch(pool.threads()) {}

Convolution* ConvolutionChoice::fft(const ConvolutionGeometry& geometry, std::int64_t batch) {
    if (m_method == "direct") {
        return nullptr;
    }
    ConvolutionGeometry key = geometry;
    key.images = batch;
    const auto [found, isNew] = m_fftConvolutions.try_emplace(key);
    if (isNew) {
        const std::optional<FftPlan> plan = cheapestFftPlan(geometry, batch);
        if (plan && (m_method == "fft" || fftCost(geometry, *plan, batch) < directCost(geometry, batch))) {
            found->second = std::make_unique<FftConvolution>(geometry, *plan,
                                                             FftTools{m_pool, m_kernels, m_memory, m_fftScratch});
        }
    }
    return found->second.get();
}

Convolution& ConvolutionChoice::of(const Shape& x, const Shape& w, const ConvolutionOptions& options) {
    ConvolutionGeometry geometry{1, x[1], x[2], x[3], w[0], w[1], w[3], options.stride, options.padding};
    if (Convolution* byFft = fft(geometry, x[0])) {
        return *byFft;
    }
    geometry.images = imagesAtATime(x[0], geometry.outputHeight() * geometry.outputWidth());
    std::unique_ptr<Convolution>& convolution = m_convolutions[geometry];
    if (!convolution) {
        holdOneDnnTo(m_isa);
        const ConvolutionTools tools{m_pool, m_kernels, m_memory, m_scratch};
        if (NarrowConvolution::fits(geometry)) {
            convolution = std::make_unique<NarrowConvolution>(geometry, tools);
        } else {
            convolution = std::make_unique<DirectConvolution>(geometry, tools);
        }
    }
    return *convolution;
}

} // namespace halfstep::backend::cpu
