#pragma once
#include "engine/backend/cpu/plan/convolution_planner.h"
#include "engine/backend/cpu/plan/make_convolution.h"
#include <map>
#include <memory>
#include <string>

namespace halfstep::backend::cpu {

/// The convolutions of a back end, done as the planner says. They are made when first asked for, and share their
/// scratch memory.
class ConvolutionChoice {
public:
    /// `isa` is what oneDNN is held to; the rest outlives this.
    ConvolutionChoice(ConvolutionPlanner planner, std::string isa, ThreadPool& pool, const Kernels& kernels,
                      const MemoryLedger& memory);

    /// The convolution of a batch x [N, H, W, C] by kernels w [R, S, C, K].
    Convolution& of(const Shape& x, const Shape& w, const ConvolutionOptions& options);
    const ConvolutionPlanner& planner() const { return m_planner; }

private:
    ConvolutionPlanner m_planner;
    std::string m_isa;
    ThreadPool& m_pool;
    const Kernels& m_kernels;
    const MemoryLedger& m_memory;
    ConvolutionScratches m_scratch;
    std::map<ConvolutionGeometry, std::unique_ptr<Convolution>> m_convolutions; ///< images: the batch
};

} // namespace halfstep::backend::cpu
