#include "engine/backend/cpu/convolution_choice.h"
#include "engine/backend/cpu/one_dnn.h"
#include "engine/backend/cpu/plan/convolution_trial.h"

namespace halfstep::backend::cpu {

ConvolutionChoice::ConvolutionChoice(ConvolutionPlanner planner, std::string isa, ThreadPool& pool,
                                     const Kernels& kernels, const MemoryLedger& memory)
    : m_planner(std::move(planner)),
      m_isa(std::move(isa)),
      m_pool(pool),
      m_kernels(kernels),
      m_memory(memory),
      m_scratch(pool.threads()) {}

Convolution& ConvolutionChoice::of(const Shape& x, const Shape& w, const ConvolutionOptions& options) {
    ConvolutionGeometry geometry{x[0], x[1], x[2], x[3], w[0], w[1], w[3], options.stride, options.padding};
    std::unique_ptr<Convolution>& convolution = m_convolutions[geometry];
    if (!convolution) {
        geometry.images = 1;
        const ConvolutionMethod method = m_planner.methodFor(
            geometry, x[0], [&] { return oneDnnCanBeHeldTo(m_isa); },
            [&](const ConvolutionMethod& tried, const ConvolutionGeometry& g, std::int64_t batch) {
                return timeConvolution(tried, g, batch, m_pool, m_kernels, m_isa);
            });
        convolution = makeConvolution(method, geometry, x[0], {m_pool, m_kernels, m_memory, m_scratch, m_isa});
    }
    return *convolution;
}

} // namespace halfstep::backend::cpu
