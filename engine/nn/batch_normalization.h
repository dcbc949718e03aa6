#pragma once
#include "engine/nn/layer_context.h"
#include "engine/nn/mode.h"

namespace halfstep::nn {

/// Batch normalization over N, H, W as Keras does it: momentum 0.99, epsilon 1e-3, statistics, gamma and beta in
/// float32, biased variance also in the moving average, one rounding of the output.
///
///   x, y  [N, H, W, C]   compute dtype
class BatchNormalization {
public:
    BatchNormalization(const LayerContext& context, const std::string& name, const tensor::Shape& input);

    /// Memory for the output of the largest batch.
    const tensor::Tensor& output() const { return m_output; }

    /// Keeps x and the batch's statistics for the backward pass.
    tensor::Tensor forward(const tensor::Tensor& x, Mode mode);
    /// Global average pooling of what forward gives, into `pooled` [N, C], in one pass and with the same bits.
    void forwardPooled(const tensor::Tensor& x, Mode mode, const tensor::Tensor& pooled);
    /// dy becomes the gradient of x, in place.
    void backward(const tensor::Tensor& dy);
    /// The same and on through the bias and ReLU of the convolution whose output x is: dx, which may be dy, becomes
    /// the gradient before ReLU, to the bit as if each were done by itself. dy [N, C] is the gradient of
    /// forwardPooled.
    void backwardThroughRelu(const tensor::Tensor& dy, const tensor::Tensor& dx, const tensor::Tensor& biasGradient);
    /// Moves the averages towards the statistics of the last batch. Apart from forward, so that a skipped step leaves
    /// no trace in the variables.
    void updateMovingAverages();

private:
    static constexpr float kEpsilon = 1e-3f;
    static constexpr float kMomentum = 0.99f;

    backend::Backend& m_device;
    Variable& m_gamma;
    Variable& m_beta;
    Variable& m_movingMean;
    Variable& m_movingVariance;
    tensor::Tensor m_mean, m_variance; ///< of the batch, float32
    tensor::Tensor m_output;           ///< of the largest batch
    tensor::Tensor m_x;

    void normalize(const tensor::Tensor& x, Mode mode, const tensor::Tensor& y);
};

} // namespace halfstep::nn
