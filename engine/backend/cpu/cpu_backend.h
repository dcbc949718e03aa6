#pragma once
#include "engine/backend/cpu/channel_scratch.h"
#include "engine/backend/cpu/cpu_device.h"
#include "engine/backend/cpu/function_ref.h"
#include "engine/backend/cpu/head_scratch.h"
#include <string_view>
#include <vector>

namespace halfstep::backend::cpu {

/// The verbs on this machine's cores. Work is cut into blocks whose size depends on the tensors alone, and partial
/// sums are added in block order, in double: the number of threads changes no bit. One thread at a time may call it.
class CpuBackend final : public CpuDevice {
public:
    /// `machine` names the CPU in what is remembered of measurements.
    CpuBackend(const BackendOptions& options, std::string_view machine);
    ~CpuBackend() override;

    std::uint64_t freeBytes() const override;
    void upload(std::span<const float> values, const Tensor& to) override;
    void download(const Tensor& from, std::span<float> values) override;

    void cast(const Tensor& x, const Tensor& y) override;
    void normalizeImages(std::span<const std::uint8_t> images, const Tensor& y) override;

    void biasReluBackward(const Tensor& y, const Tensor& dy, const Tensor& db) override;

    void batchNormTrain(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon, const Tensor& mean,
                        const Tensor& variance, const Tensor& y) override;
    void batchNormInference(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon,
                            const Tensor& mean, const Tensor& variance, const Tensor& y) override;
    void batchNormBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon, const Tensor& mean,
                           const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                           const Tensor& dbeta) override;
    void batchNormReluBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon,
                               const Tensor& mean, const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                               const Tensor& dbeta, const Tensor& db) override;
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
    CpuBackend(const BackendOptions& options, std::string_view machine, const InstructionSet& set);

    /// Calls work(first element, count) for blocks of [0, n).
    void forElements(std::size_t n, FunctionRef<void(std::size_t, std::size_t)> work);
    /// Calls work(first element, count, counts) for blocks of [0, n) and adds up the counts.
    using UpdateOfBlock = FunctionRef<void(std::size_t, std::size_t, UpdateCounts&)>;
    UpdateCounts countingUpdates(std::size_t n, UpdateOfBlock work);
    struct RowBlock {
        std::size_t index, first, count; ///< block, its first row, its rows
        int worker;
    };
    /// Calls work(block) for blocks of [0, rows); returns the number of blocks.
    std::size_t forRowBlocks(std::size_t rows, FunctionRef<void(const RowBlock&)> work);
    /// Makes rowScratch hold `floats` for every worker.
    void reserveRows(std::size_t floats);
    float* rowScratch(int worker);
    /// y [N, C] = mean over H, W of the normalized x.
    void normalizeAndPool(const Tensor& x, const Tensor& mean, const float* scale, const Tensor& beta,
                          const Tensor& y);
    /// The rows of dy [N, H, W, C] that belong to a block of x; where dy is [N, C], made in the worker's scratch.
    const void* gradientRows(const Tensor& x, const Tensor& dy, const RowBlock& block);
    /// sums[c] = partials of all blocks added in order; `partials` is [blocks, c].
    static void addBlocks(const float* partials, std::size_t blocks, std::size_t c, std::vector<double>& sums);
    /// batchNormBackward where `db` is null, else batchNormReluBackward.
    void batchNormBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon, const Tensor& mean,
                           const Tensor& variance, const Tensor& dx, const Tensor& dgamma, const Tensor& dbeta,
                           const Tensor* db);
    /// The sums of all channels, rounded to `to`.
    void storeSums(const std::vector<double>& sums, const Tensor& to);
    void toHost(const Tensor& x, std::vector<float>& values);

    std::vector<float> m_partials;
    std::vector<float> m_rows;   ///< of all workers
    std::size_t m_rowFloats = 0; ///< of one worker
    ChannelScratch m_channels;
    HeadScratch m_head;
};

} // namespace halfstep::backend::cpu
