#pragma once
#include "engine/backend/backend.h"
#include <algorithm>
#include <compare>
#include <cstdint>

namespace halfstep::backend::cpu {

/// x [images, H, W, C], w [R, S, C, K], y [images, P, Q, K], padded as the options say.
struct ConvolutionGeometry {
    std::int64_t images = 1; ///< that oneDNN takes at a time; batches are multiples of it
    std::int64_t height = 0, width = 0, channels = 0;
    std::int64_t kernelHeight = 0, kernelWidth = 0, filters = 0;
    std::int64_t stride = 1;
    Padding paddingRule = Padding::Same;

    std::int64_t outputHeight() const { return outputs(height, kernelHeight); }
    std::int64_t outputWidth() const { return outputs(width, kernelWidth); }
    /// All padding of an axis; the smaller half of it comes before.
    std::int64_t paddingHeight() const { return padding(height, outputHeight(), kernelHeight); }
    std::int64_t paddingWidth() const { return padding(width, outputWidth(), kernelWidth); }
    /// Input rows and columns that some output sees: with padding "valid" the last ones may lie behind all outputs.
    std::int64_t usedHeight() const { return used(height, outputHeight(), kernelHeight); }
    std::int64_t usedWidth() const { return used(width, outputWidth(), kernelWidth); }
    auto operator<=>(const ConvolutionGeometry&) const = default;

private:
    std::int64_t outputs(std::int64_t size, std::int64_t kernel) const {
        return paddingRule == Padding::Same ? (size + stride - 1) / stride : (size - kernel) / stride + 1;
    }
    std::int64_t padding(std::int64_t size, std::int64_t outputs, std::int64_t kernel) const {
        return std::max<std::int64_t>((outputs - 1) * stride + kernel - size, 0);
    }
    std::int64_t used(std::int64_t size, std::int64_t outputs, std::int64_t kernel) const {
        return std::min((outputs - 1) * stride + kernel - padding(size, outputs, kernel) / 2, size);
    }
};

/// One way to do the convolutions of one geometry: the verbs of Backend, with their shapes, from and to tensors of
/// any storage dtype, in float32 arithmetic.
class Convolution {
public:
    virtual ~Convolution() = default;

    /// For tensors of a dtype and batches of so many images.
    virtual ConvolutionAlgorithms algorithms(DType dtype, std::int64_t batch) const = 0;
    virtual void forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y,
                         ReserveSpace* reserve) = 0;
    virtual void backwardWeights(const Tensor& x, const Tensor& dy, const Tensor& dw, ReserveSpace* reserve) = 0;
    virtual void backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace* reserve) = 0;
};

} // namespace halfstep::backend::cpu
