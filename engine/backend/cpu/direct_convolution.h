#pragma once
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/memory_ledger.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/tensor/tensor.h"
#include <compare>
#include <cstdint>
#include <memory>

namespace halfstep::backend::cpu {

/// One image's convolution: x [H, W, C], w [R, S, C, K], y [P, Q, K], padding "same".
struct ConvolutionGeometry {
    std::int64_t height = 0, width = 0, channels = 0;
    std::int64_t kernelHeight = 0, kernelWidth = 0, filters = 0;
    std::int64_t stride = 1;

    std::int64_t outputHeight() const { return (height + stride - 1) / stride; }
    std::int64_t outputWidth() const { return (width + stride - 1) / stride; }
    auto operator<=>(const ConvolutionGeometry&) const = default;
};

/// Convolutions of one geometry by oneDNN, in float32 arithmetic, from and to tensors of any storage dtype.
///
/// oneDNN works on one image and one thread at a time, in the memory layout that it likes best; our pool spreads the
/// images. So a sum never depends on the number of threads, which oneDNN's own splitting of the weight gradient does.
class DirectConvolution {
public:
    /// Images of a batch whose weight gradients are summed in one chain; the chains are added in order.
    static constexpr int kMaximumChains = 16;

    DirectConvolution(const ConvolutionGeometry& geometry, ThreadPool& pool, const Kernels& kernels,
                      const MemoryLedger& memory);
    ~DirectConvolution();

    // Verbs of Backend, with their shapes.
    void forward(const tensor::Tensor& x, const tensor::Tensor& w, const tensor::Tensor& b, const tensor::Tensor& y);
    void backwardWeights(const tensor::Tensor& x, const tensor::Tensor& dy, const tensor::Tensor& dw);
    void backwardData(const tensor::Tensor& w, const tensor::Tensor& dy, const tensor::Tensor& dx);

private:
    struct Primitives;
    std::unique_ptr<Primitives> m_primitives;
};

} // namespace halfstep::backend::cpu
