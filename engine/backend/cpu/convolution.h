#pragma once
#include "engine/tensor/tensor.h"
#include <algorithm>
#include <compare>
#include <cstdint>

namespace halfstep::backend::cpu {

/// x [images, H, W, C], w [R, S, C, K], y [images, P, Q, K], padding "same".
struct ConvolutionGeometry {
    std::int64_t images = 1; ///< that oneDNN takes at a time; batches are multiples of it
    std::int64_t height = 0, width = 0, channels = 0;
    std::int64_t kernelHeight = 0, kernelWidth = 0, filters = 0;
    std::int64_t stride = 1;

    std::int64_t outputHeight() const { return (height + stride - 1) / stride; }
    std::int64_t outputWidth() const { return (width + stride - 1) / stride; }
    /// All padding of an axis, that makes ceil(size / stride) outputs; the smaller half of it comes before.
    std::int64_t paddingHeight() const { return padding(height, outputHeight(), kernelHeight); }
    std::int64_t paddingWidth() const { return padding(width, outputWidth(), kernelWidth); }
    auto operator<=>(const ConvolutionGeometry&) const = default;

private:
    std::int64_t padding(std::int64_t size, std::int64_t outputs, std::int64_t kernel) const {
        return std::max<std::int64_t>((outputs - 1) * stride + kernel - size, 0);
    }
};

/// One way to do the convolutions of one geometry: the verbs of Backend, with their shapes, from and to tensors of
/// any storage dtype, in float32 arithmetic.
class Convolution {
public:
    virtual ~Convolution() = default;

    virtual void forward(const tensor::Tensor& x, const tensor::Tensor& w, const tensor::Tensor& b,
                         const tensor::Tensor& y) = 0;
    virtual void backwardWeights(const tensor::Tensor& x, const tensor::Tensor& dy, const tensor::Tensor& dw) = 0;
    virtual void backwardData(const tensor::Tensor& w, const tensor::Tensor& dy, const tensor::Tensor& dx) = 0;
};

} // namespace halfstep::backend::cpu
