#include "engine/nn/batch_normalization.h"
#include <vector>

namespace halfstep::nn {
using tensor::DType;
using tensor::Tensor;

BatchNormalization::BatchNormalization(const LayerContext& context, const std::string& name,
                                       const tensor::Shape& input)
    : m_device(context.device),
      m_gamma(context.addTrainable(name + "/gamma", {input[3]}, false)),
      m_beta(context.addTrainable(name + "/beta", {input[3]}, false)),
      m_movingMean(context.addMoving(name + "/moving_mean", {input[3]})),
      m_movingVariance(context.addMoving(name + "/moving_variance", {input[3]})),
      m_mean(m_device.allocate(DType::Float32, {input[3]})),
      m_variance(m_device.allocate(DType::Float32, {input[3]})),
      m_output(context.activation(input)) {
    const std::vector<float> ones(static_cast<std::size_t>(input[3]), 1.0f);
    m_device.upload(ones, m_gamma.value);
    m_device.upload(ones, m_movingVariance.value);
}

const Tensor& BatchNormalization::forward(const Tensor& x, Mode mode) {
    m_x = x;
    m_y = tensor::firstOf(m_output, x.shape[0]);
    tensor::requireShape("BatchNormalization", x, m_y.shape);
    if (mode == Mode::Training) {
        m_device.batchNormTrain(m_x, m_gamma.value, m_beta.value, kEpsilon, m_mean, m_variance, m_y);
    } else {
        m_device.batchNormInference(m_x, m_gamma.value, m_beta.value, kEpsilon, m_movingMean.value,
                                    m_movingVariance.value, m_y);
    }
    return m_y;
}

void BatchNormalization::backward(const Tensor& dy) {
    tensor::requireShape("BatchNormalization backward", dy, m_y.shape);
    m_device.batchNormBackward(m_x, dy, m_gamma.value, kEpsilon, m_mean, m_variance, dy, m_gamma.gradient,
                               m_beta.gradient);
}

void BatchNormalization::updateMovingAverages() {
    m_device.movingAverage(m_mean, kMomentum, m_movingMean.value);
    m_device.movingAverage(m_variance, kMomentum, m_movingVariance.value);
}

} // namespace halfstep::nn
