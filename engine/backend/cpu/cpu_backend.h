#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cpu/convolution_choice.h"
#include "engine/backend/cpu/instruction_set.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/memory_ledger.h"
#include "engine/backend/cpu/thread_pool.h"
#include <functional>
#include <memory>
#include <vector>

namespace halfstep::backend::cpu {

/// The verbs on this machine's cores. Work is cut into blocks whose size depends on the tensors alone, and partial
/// sums are added in block order, in double: the number of threads changes no bit. One thread at a time may call it.
class CpuBackend final : public Backend {
public:
    explicit CpuBackend(const BackendOptions& options);
    ~CpuBackend() override;

    std::string text() const override;
    std::string isa() const override;
    int threads() const override;

    Tensor allocate(DType dtype, const Shape& shape) override;
    std::uint64_t peakBytes() const override;
    std::uint64_t heldBytes() const override;
    std::uint64_t freeBytes() const override;
    std::shared_ptr<Backend> rehearsal() const override;
    void upload(std::span<const float> values, const Tensor& to) override;
    void download(const Tensor& from, std::span<float> values) override;

    void cast(const Tensor& x, const Tensor& y) override;
    void normalizeImages(std::span<const std::uint8_t> images, const Tensor& y) override;

    void conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                        const Tensor& y, ReserveSpace* reserve) override;
    void biasReluBackward(const Tensor& y, const Tensor& dy, const Tensor& db) override;
    void conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dw,
                               ReserveSpace* reserve) override;
    void conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dx,
                            ReserveSpace* reserve) override;

    void batchNormTrain(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon, const Tensor& mean,
                        const Tensor& variance, const Tensor& y) override;
    void batchNormInference(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon,
                            const Tensor& mean, const Tensor& variance, const Tensor& y) override;
    void batchNormBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon, const Tensor& mean,
                           const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                           const Tensor& dbeta) override;
    void movingAverage(const Tensor& batch, float momentum, const Tensor& moving) override;

    void globalAveragePool(const Tensor& x, const Tensor& y) override;
    void globalAveragePoolBackward(const Tensor& dy, const Tensor& dx) override;
    void dense(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y) override;
    void denseBackward(const Tensor& x, const Tensor& w, const Tensor& dy, const Tensor& dx, const Tensor& dw,
                       const Tensor& db) override;
    LossResult softmaxCrossEntropy(const Tensor& logits, std::span<const std::int64_t> labels, float lossScale,
                                   const Tensor* dlogits, std::span<float> probabilities) override;

    bool unscale(const Tensor& gradient, float lossScale, const Tensor& to) override;
    UpdateCounts adam(const Tensor& gradient, const AdamOptions& options, std::int64_t iteration, const Tensor& m,
                      const Tensor& v, const Tensor& w) override;
    UpdateCounts sgd(const Tensor& gradient, double learningRate, const Tensor& w) override;
    tensor::ExponentHistogram exponents(const Tensor& x) override;

private:
    /// Calls work(first element, count) for blocks of [0, n).
    void forElements(std::size_t n, const std::function<void(std::size_t, std::size_t)>& work);
    /// Calls work(first element, count, counts) for blocks of [0, n) and adds up the counts.
    using UpdateOfBlock = std::function<void(std::size_t, std::size_t, UpdateCounts&)>;
    UpdateCounts countingUpdates(std::size_t n, const UpdateOfBlock& work);
    /// Calls work(block, first row, rows) for blocks of [0, rows); returns the number of blocks.
    std::size_t forRowBlocks(std::size_t rows,
                             const std::function<void(std::size_t, std::size_t, std::size_t)>& work);
    /// sums[c] = partials of all blocks added in order; `partials` is [blocks, c].
    static void addBlocks(const float* partials, std::size_t blocks, std::size_t c, double* sums);
    std::vector<float> toHost(const Tensor& x);
    void fromHost(const std::vector<float>& values, const Tensor& y);

    std::string m_method; ///< of convolutions: "auto", "fft" or "direct"
    InstructionSet m_set;
    Kernels m_kernels;
    MemoryLedger m_memory;
    ThreadPool m_pool;
    ConvolutionChoice m_convolutions;
    std::vector<float> m_partials;
};

} // namespace halfstep::backend::cpu
