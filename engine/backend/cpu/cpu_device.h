#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cpu/convolution_choice.h"
#include "engine/backend/cpu/instruction_set.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/memory_ledger.h"
#include "engine/backend/cpu/thread_pool.h"
#include <memory>
#include <string>

namespace halfstep::backend::cpu {

/// What CpuBackend and its rehearsal have in common: a team of threads, memory that is counted, and the convolutions,
/// which do the same on both.
class CpuDevice : public Backend {
public:
    std::string text() const override;
    std::string isa() const override { return std::string(m_set.name); }
    int threads() const override { return m_pool.threads(); }
    DType computedIn(DType) const override {
        return DType::Float32;
    } ///< 16-bit values are widened as they are loaded

    Tensor allocate(DType dtype, const Shape& shape) override;
    std::uint64_t peakBytes() const override { return m_memory.peakBytes(); }
    std::uint64_t heldBytes() const override { return m_memory.heldBytes(); }
    std::shared_ptr<Backend> rehearsal() const override;

    ConvolutionAlgorithms convolutionAlgorithms(const Shape& x, const Shape& w, const ConvolutionOptions& options,
                                                DType dtype) override;
    void conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                        const Tensor& y, ReserveSpace* reserve) override;
    void conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dw,
                               ReserveSpace* reserve) override;
    void conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dx,
                            ReserveSpace* reserve) override;

protected:
    CpuDevice(const InstructionSet& set, const Kernels& kernels, MemoryLedger memory, int threads,
              ThreadPool::Work work, ConvolutionPlanner planner);

    InstructionSet m_set;
    Kernels m_kernels;
    MemoryLedger m_memory;
    ThreadPool m_pool;

private:
    ConvolutionChoice m_convolutions;
};

} // namespace halfstep::backend::cpu
