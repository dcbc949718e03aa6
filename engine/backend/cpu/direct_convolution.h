#pragma once
#include "engine/backend/cpu/convolution.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/memory_ledger.h"
#include "engine/backend/cpu/scratch.h"
#include "engine/backend/cpu/thread_pool.h"
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace halfstep::backend::cpu {

/// How many images of a batch oneDNN takes at a time: small images go together, so that the weights are not read anew
/// for each, but a batch stays in at least 8 parts for the cores to share. A divisor of `batch`.
std::int64_t imagesAtATime(std::int64_t batch, std::int64_t outputsPerImage);

/// Scratch memory that all convolutions of a backend share, since they run one after the other.
struct ConvolutionScratch {
    struct Worker {
        Scratch plain, blockedX, blockedY, scratchpad, weights; ///< of DirectConvolution
        Scratch rows, pixels;                                   ///< of NarrowConvolution
    };
    explicit ConvolutionScratch(int threads) : workers(static_cast<std::size_t>(threads)) {}

    std::vector<Worker> workers; ///< one for each thread of the pool
    Scratch plainWeights, blockedWeights, bias, chains;
};

/// What all convolutions of a backend work with.
struct ConvolutionTools {
    ThreadPool& pool;
    const Kernels& kernels;
    const MemoryLedger& memory;
    ConvolutionScratch& scratch;
    std::string_view isa{}; ///< that oneDNN must keep to; empty: any
};

/// Convolutions of one geometry by oneDNN, in float32 arithmetic, from and to tensors of any storage dtype.
///
/// oneDNN works on a few images and on one thread at a time, in the memory layout that it likes best; our pool
/// spreads the images. So a sum never depends on the number of threads, which oneDNN's own splitting of the weight
/// gradient does.
class DirectConvolution final : public Convolution {
public:
    /// Parts of a batch whose weight gradients are summed in one chain; the chains are added in order.
    static constexpr int kMaximumChains = 16;

    /// Throws ConfigError if oneDNN runs on another instruction set already.
    DirectConvolution(const ConvolutionGeometry& geometry, const ConvolutionTools& tools);
    ~DirectConvolution() override;

    ConvolutionAlgorithms algorithms(DType dtype, std::int64_t batch) const override;
    void forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y, ReserveSpace* reserve) override;
    void backwardWeights(const Tensor& x, const Tensor& dy, const Tensor& dw, ReserveSpace* reserve) override;
    void backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace* reserve) override;

private:
    struct Primitives;
    std::unique_ptr<Primitives> m_primitives;
};

} // namespace halfstep::backend::cpu
