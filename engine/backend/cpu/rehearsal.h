#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cpu/convolution_choice.h"
#include "engine/backend/cpu/instruction_set.h"
#include "engine/backend/cpu/kernels.h"

namespace halfstep::backend::cpu {

/// Memory for a tensor from `memory`. Throws OutOfMemoryError, also where its bytes cannot be counted.
Tensor allocateTensor(const MemoryLedger& memory, DType dtype, const Shape& shape);

/// Backend::rehearsal() of CpuBackend. Only the verbs that take scratch memory do anything: the convolutions are the
/// real ones, on a team that leaves their work out and a ledger that counts.
class Rehearsal final : public Backend {
public:
    Rehearsal(const InstructionSet& set, const Kernels& kernels, int threads, const ConvolutionPlanner& planner);

    std::string text() const override { return m_set.title.data(); }
    std::string isa() const override { return std::string(m_set.name); }
    int threads() const override { return m_pool.threads(); }
    Tensor allocate(DType dtype, const Shape& shape) override { return allocateTensor(m_memory, dtype, shape); }
    std::uint64_t peakBytes() const override { return m_memory.peakBytes(); }
    std::uint64_t heldBytes() const override { return m_memory.heldBytes(); }
    std::uint64_t freeBytes() const override { return UINT64_MAX; }
    std::shared_ptr<Backend> rehearsal() const override;

    ConvolutionAlgorithms convolutionAlgorithms(const Shape& x, const Shape& w, const ConvolutionOptions& options,
                                                DType dtype) override;
    void conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                        const Tensor& y, ReserveSpace* reserve) override;
    void conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dw,
                               ReserveSpace* reserve) override;
    void conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dx,
                            ReserveSpace* reserve) override;

    void upload(std::span<const float>, const Tensor&) override {}
    void download(const Tensor&, std::span<float>) override {}
    void cast(const Tensor&, const Tensor&) override {}
    void normalizeImages(std::span<const std::uint8_t>, const Tensor&) override {}
    void biasReluBackward(const Tensor&, const Tensor&, const Tensor&) override {}
    void batchNormTrain(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                        const Tensor&) override {}
    void batchNormInference(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                            const Tensor&) override {}
    void batchNormBackward(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                           const Tensor&, const Tensor&, const Tensor&) override {}
    void batchNormReluBackward(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                               const Tensor&, const Tensor&, const Tensor&, const Tensor&) override {}
    void movingAverage(const Tensor&, float, const Tensor&) override {}
    void globalAveragePool(const Tensor&, const Tensor&) override {}
    void globalAveragePoolBackward(const Tensor&, const Tensor&) override {}
    void dense(const Tensor&, const Tensor&, const Tensor&, const Tensor&) override {}
    void denseBackward(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                       const Tensor&) override {}
    LossResult softmaxCrossEntropy(const Tensor&, std::span<const std::int64_t>, float, const Tensor*,
                                   std::span<float>) override {
        return {};
    }
    bool unscale(const Tensor&, float, const Tensor&) override { return true; }
    UpdateCounts adam(const Tensor&, const AdamOptions&, std::int64_t, const Tensor&, const Tensor&,
                      const Tensor&) override {
        return {};
    }
    UpdateCounts sgd(const Tensor&, double, const Tensor&) override { return {}; }
    tensor::ExponentHistogram exponents(const Tensor&) override { return {}; }

private:
    InstructionSet m_set;
    Kernels m_kernels;
    MemoryLedger m_memory;
    ThreadPool m_pool;
    ConvolutionChoice m_convolutions;
};

} // namespace halfstep::backend::cpu
