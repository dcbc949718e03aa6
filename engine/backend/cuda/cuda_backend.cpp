#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/cuda_rehearsal.h"
#include "engine/backend/cuda/kernels/kernel_images.h"
#include "engine/tensor/allocated_tensor.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::backend::cuda {

CudaBackend::CudaBackend(std::shared_ptr<const Context> context, DeviceMemory memory,
                         std::shared_ptr<Convolutions> convolutions)
    : m_context(context),
      m_memory(memory),
      m_scratch(context, memory),
      m_kernels(context, kernelImages()),
      m_convolutions(std::move(convolutions)) {}

std::string CudaBackend::text() const {
    return fmt::format("{}, compute capability {}.{}", m_context->name(), m_context->computeCapability() / 10,
                       m_context->computeCapability() % 10);
}

std::string CudaBackend::isa() const {
    return fmt::format("sm_{}", m_context->computeCapability());
}

Tensor CudaBackend::allocate(DType dtype, const Shape& shape) {
    Tensor tensor = tensor::allocatedTensor(m_memory, dtype, shape);
    m_context->use();
    m_context->check(
        m_context->api().memsetD8Async(devicePointer(tensor.data.get()), 0, tensor.bytes(), m_context->stream()),
        "clear a tensor");
    return tensor;
}

std::shared_ptr<Backend> CudaBackend::rehearsal() const {
    return std::make_shared<CudaRehearsal>(text(), isa(), m_convolutions);
}

LaunchGeometry CudaBackend::forElements(std::int64_t n) const {
    constexpr std::int64_t kThreads = 256;
    constexpr std::int64_t kBlocksOfMultiprocessor = 8; // 2,048 threads, as many as one holds
    const std::int64_t work = (n + kThreads - 1) / kThreads;
    const std::int64_t most = kBlocksOfMultiprocessor * m_context->multiprocessors();
    return {.grid = {static_cast<unsigned>(std::clamp<std::int64_t>(work, 1, most)), 1, 1},
            .block = {kThreads, 1, 1}};
}

void CudaBackend::toDevice(const void* from, std::size_t bytes, const std::byte* to) {
    m_context->use();
    m_context->check(m_context->api().memcpyHostToDeviceAsync(devicePointer(to), from, bytes, m_context->stream()),
                     "copy to the card");
}

void CudaBackend::toHost(const std::byte* from, std::size_t bytes, void* to) {
    m_context->use();
    m_context->check(m_context->api().memcpyDeviceToHostAsync(to, devicePointer(from), bytes, m_context->stream()),
                     "copy from the card");
    m_context->synchronize();
}

std::byte* CudaBackend::clearedScratch(std::size_t bytes) {
    std::byte* scratch = m_scratch.reserve(bytes);
    m_context->use();
    m_context->check(m_context->api().memsetD8Async(devicePointer(scratch), 0, bytes, m_context->stream()),
                     "clear scratch memory");
    return scratch;
}

void CudaBackend::conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                                 const Tensor& y, ReserveSpace*) {
    m_convolutions->forward(x, w, b, options, y, m_scratch);
}

ConvolutionAlgorithms CudaBackend::convolutionAlgorithms(const Shape& x, const Shape& w,
                                                         const ConvolutionOptions& options, DType dtype) {
    return m_convolutions->algorithms(x, w, options, dtype);
}

void CudaBackend::conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options,
                                        const Tensor& dw, ReserveSpace*) {
    m_convolutions->backwardWeights(x, dy, options, dw, m_scratch);
}

void CudaBackend::conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options,
                                     const Tensor& dx, ReserveSpace*) {
    m_convolutions->backwardData(w, dy, options, dx, m_scratch);
}

} // namespace halfstep::backend::cuda
