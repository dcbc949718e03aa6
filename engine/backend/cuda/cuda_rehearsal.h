#pragma once
#include "engine/backend/cuda/convolutions.h"
#include "engine/backend/cuda/device_scratch.h"
#include "engine/backend/cuda/scratch_sizes.h"
#include "engine/backend/idle_verbs.h"
#include "engine/tensor/allocated_tensor.h"

namespace halfstep::backend::cuda {

/// Backend::rehearsal() of CudaBackend: its memory and its scratch memory, counted only. What batch normalization and
/// the head will take as scratch is not in it yet.
class CudaRehearsal final : public IdleVerbs<Backend> {
public:
    CudaRehearsal(std::string text, std::string isa, std::shared_ptr<Convolutions> convolutions)
        : m_text(std::move(text)),
          m_isa(std::move(isa)),
          m_convolutions(std::move(convolutions)) {}

    std::string text() const override { return m_text; }
    std::string isa() const override { return m_isa; }
    int threads() const override { return 1; }
    DType computedIn(DType stored) const override { return stored; }

    Tensor allocate(DType dtype, const Shape& shape) override {
        return tensor::allocatedTensor(m_memory, dtype, shape);
    }
    std::uint64_t peakBytes() const override { return m_memory.peakBytes(); }
    std::uint64_t heldBytes() const override { return m_memory.heldBytes(); }
    std::uint64_t freeBytes() const override { return m_memory.freeBytes(); }
    std::shared_ptr<Backend> rehearsal() const override {
        return std::make_shared<CudaRehearsal>(m_text, m_isa, m_convolutions);
    }

    void upload(std::span<const float>, const Tensor& to) override { m_scratch.reserve(transferScratchBytes(to)); }
    void download(const Tensor& from, std::span<float>) override { m_scratch.reserve(transferScratchBytes(from)); }
    void normalizeImages(std::span<const std::uint8_t>, const Tensor& y) override {
        m_scratch.reserve(imageScratchBytes(y));
    }
    tensor::ExponentHistogram exponents(const Tensor&) override {
        m_scratch.reserve(kExponentScratchBytes);
        return {};
    }
    bool unscale(const Tensor&, float, const Tensor&) override {
        m_scratch.reserve(kUnscaleScratchBytes);
        return true;
    }
    UpdateCounts adam(const Tensor&, const AdamOptions&, std::int64_t, const Tensor&, const Tensor&,
                      const Tensor&) override {
        m_scratch.reserve(kUpdateScratchBytes);
        return {};
    }
    UpdateCounts sgd(const Tensor&, double, const Tensor&) override {
        m_scratch.reserve(kUpdateScratchBytes);
        return {};
    }

    void conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor&, const ConvolutionOptions& options,
                        const Tensor&, ReserveSpace*) override {
        reserveForConvolution(x, w, options);
    }
    ConvolutionAlgorithms convolutionAlgorithms(const Shape& x, const Shape& w, const ConvolutionOptions& options,
                                                DType dtype) override {
        return m_convolutions->algorithms(x, w, options, dtype);
    }
    void conv2dBackwardWeights(const Tensor& x, const Tensor&, const ConvolutionOptions& options, const Tensor& dw,
                               ReserveSpace*) override {
        reserveForConvolution(x, dw, options);
    }
    void conv2dBackwardData(const Tensor& w, const Tensor&, const ConvolutionOptions& options, const Tensor& dx,
                            ReserveSpace*) override {
        reserveForConvolution(dx, w, options);
    }

private:
    void reserveForConvolution(const Tensor& x, const Tensor& w, const ConvolutionOptions& options) {
        m_scratch.reserve(m_convolutions->scratchBytes(x.shape, w.shape, options, x.dtype));
    }

    std::string m_text, m_isa;
    std::shared_ptr<Convolutions> m_convolutions;
    DeviceMemory m_memory{nullptr, std::nullopt};
    DeviceScratch m_scratch{nullptr, m_memory};
};

} // namespace halfstep::backend::cuda
