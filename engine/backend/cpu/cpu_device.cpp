#include "engine/backend/cpu/cpu_device.h"
#include "engine/backend/cpu/rehearsal.h"
#include "engine/tensor/allocated_tensor.h"
#include <fmt/format.h>

namespace halfstep::backend::cpu {

CpuDevice::CpuDevice(const InstructionSet& set, const Kernels& kernels, MemoryLedger memory, int threads,
                     ThreadPool::Work work, ConvolutionPlanner planner)
    : m_set(set),
      m_kernels(kernels),
      m_memory(std::move(memory)),
      m_pool(threads, work),
      m_convolutions(std::move(planner), std::string(set.name), m_pool, m_kernels, m_memory) {}

std::string CpuDevice::text() const {
    return fmt::format("CPU {}, {} thread{}", m_set.title, threads(), threads() == 1 ? "" : "s");
}

Tensor CpuDevice::allocate(DType dtype, const Shape& shape) {
    return tensor::allocatedTensor(m_memory, dtype, shape);
}

std::shared_ptr<Backend> CpuDevice::rehearsal() const {
    return std::make_shared<Rehearsal>(m_set, m_kernels, threads(), m_convolutions.planner());
}

ConvolutionAlgorithms CpuDevice::convolutionAlgorithms(const Shape& x, const Shape& w,
                                                       const ConvolutionOptions& options, DType dtype) {
    return m_convolutions.of(x, w, options).algorithms(dtype, x[0]);
}

void CpuDevice::conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                               const Tensor& y, ReserveSpace* reserve) {
    m_convolutions.of(x.shape, w.shape, options).forward(x, w, b, y, reserve);
}

void CpuDevice::conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options,
                                      const Tensor& dw, ReserveSpace* reserve) {
    m_convolutions.of(x.shape, dw.shape, options).backwardWeights(x, dy, dw, reserve);
}

void CpuDevice::conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options,
                                   const Tensor& dx, ReserveSpace* reserve) {
    m_convolutions.of(dx.shape, w.shape, options).backwardData(w, dy, dx, reserve);
}

} // namespace halfstep::backend::cpu
