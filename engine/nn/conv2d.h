#pragma once
#include "engine/nn/layer_context.h"
#include "engine/nn/mode.h"

namespace halfstep::nn {

struct Conv2DOptions {
    std::string name; ///< "conv2d_1"
    std::int64_t filters = 0;
    std::int64_t kernelSize = 0;
    int stride = 1;
    backend::Padding padding = backend::Padding::Same;
};

/// 2-D convolution + bias + ReLU (cross-correlation, as Keras defines it), one rounding at the end.
///
///   x  [N, H, W, C]    compute dtype
///   w  [R, S, C, K]    variable dtype, rounded to the compute dtype before use
///   y  [N, P, Q, K]    compute dtype; P = ceil(H / stride) with padding "same", floor((H - R) / stride) + 1 with
///   "valid"
///
/// Sums are float32. Throws ShapeError naming both shapes if x does not fit, or if a kernel with padding "valid"
/// is larger than its input.
class Conv2D {
public:
    /// What inputs of a shape become. Throws ShapeError if a kernel with padding "valid" is larger than its input.
    static tensor::Shape outputOf(const tensor::Shape& input, const Conv2DOptions& options);

    /// For inputs [N, height, width, channels] = `input`, N up to its first dimension.
    Conv2D(const LayerContext& context, const Conv2DOptions& options, const tensor::Shape& input);

    const tensor::Shape& outputShape() const { return m_output.shape; }

    /// Keeps x and y for the backward pass, which may follow in training mode; x must not change until then.
    const tensor::Tensor& forward(const tensor::Tensor& x, Mode mode);
    /// dy [N, P, Q, K] is overwritten by its product with ReLU's gradient; sums up the bias gradient.
    void reluBackward(const tensor::Tensor& dy);
    /// Where the bias gradient belongs if someone else goes back through ReLU.
    const tensor::Tensor& biasGradient() const { return m_bias.gradient; }
    /// The kernel's gradient from a dy that has come back through ReLU.
    void backwardWeights(const tensor::Tensor& dy);
    /// The gradient of x into `dx`, after backwardWeights: dx may be x, which that reads. The first layer needs none.
    void backwardData(const tensor::Tensor& dy, const tensor::Tensor& dx);

private:
    backend::Backend& m_device;
    backend::ConvolutionOptions m_options;
    tensor::Shape m_inputShape;
    Variable& m_kernel;
    Variable& m_bias;
    tensor::Tensor m_output; ///< of the largest batch
    tensor::Tensor m_x, m_y;
    backend::ReserveSpace m_reserve;
};

} // namespace halfstep::nn
