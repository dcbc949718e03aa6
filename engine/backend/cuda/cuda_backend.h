#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cuda/convolutions.h"
#include "engine/backend/cuda/device_memory.h"
#include "engine/backend/cuda/device_scratch.h"
#include "engine/backend/cuda/driver/context.h"
#include "engine/backend/cuda/kernels/kernel_set.h"
#include <memory>

namespace halfstep::backend::cuda {

/// The verbs on one card, through one stream. Reductions add up in an order that depends on the tensors alone, never
/// by float atomics: a verb repeated on one card gives the same bits. One thread at a time may call it.
///
/// Abstract: batch normalization and the head are not written yet.
class CudaBackend : public Backend {
public:
    CudaBackend(std::shared_ptr<const Context> context, DeviceMemory memory,
                std::shared_ptr<Convolutions> convolutions);

    std::string text() const override; ///< "NVIDIA H200, compute capability 9.0"
    std::string isa() const override;  ///< "sm_90"
    int threads() const override { return 1; }
    DType computedIn(DType stored) const override { return stored; } ///< of products; sums are float32

    Tensor allocate(DType dtype, const Shape& shape) override;
    std::uint64_t peakBytes() const override { return m_memory.peakBytes(); }
    std::uint64_t heldBytes() const override { return m_memory.heldBytes(); }
    std::uint64_t freeBytes() const override { return m_memory.freeBytes(); }
    std::shared_ptr<Backend> rehearsal() const override;

    // cuda_elements.cpp
    void upload(std::span<const float> values, const Tensor& to) override;
    void download(const Tensor& from, std::span<float> values) override;
    void cast(const Tensor& x, const Tensor& y) override;
    void normalizeImages(std::span<const std::uint8_t> images, const Tensor& y) override;
    tensor::ExponentHistogram exponents(const Tensor& x) override;

    void conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                        const Tensor& y, ReserveSpace* reserve) override;
    ConvolutionAlgorithms convolutionAlgorithms(const Shape& x, const Shape& w, const ConvolutionOptions& options,
                                                DType dtype) override;
    void conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dw,
                               ReserveSpace* reserve) override;
    void conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dx,
                            ReserveSpace* reserve) override;

    // cuda_optimizer.cpp
    void movingAverage(const Tensor& batch, float momentum, const Tensor& moving) override;
    bool unscale(const Tensor& gradient, float lossScale, const Tensor& to) override;
    UpdateCounts adam(const Tensor& gradient, const AdamOptions& options, std::int64_t iteration, const Tensor& m,
                      const Tensor& v, const Tensor& w) override;
    UpdateCounts sgd(const Tensor& gradient, double learningRate, const Tensor& w) override;

private:
    /// A grid for a loop over n elements: enough blocks of 256 threads to fill the card, not more than there is work.
    LaunchGeometry forElements(std::int64_t n) const;
    /// Copies into or out of device memory; `toHost` waits until the bytes are there.
    void toDevice(const void* from, std::size_t bytes, const std::byte* to);
    void toHost(const std::byte* from, std::size_t bytes, void* to);

    /// Scratch memory that is 0.
    std::byte* clearedScratch(std::size_t bytes);
    void castElements(DType from, const std::byte* x, DType to, const std::byte* y, std::int64_t n);
    UpdateCounts countedUpdates(const std::byte* counts);

    std::shared_ptr<const Context> m_context;
    DeviceMemory m_memory;
    DeviceScratch m_scratch;
    KernelSet m_kernels;
    std::shared_ptr<Convolutions> m_convolutions;
};

} // namespace halfstep::backend::cuda
