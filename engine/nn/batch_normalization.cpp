#include "engine/nn/batch_normalization.h"
#include <vector>

namespace halfstep::nn {
using precision::StepTensor;
using tensor::Tensor;

BatchNormalization::BatchNormalization(const LayerContext& context, const std::string& name,
                                       const tensor::Shape& input)
    : m_device(context.device),
      m_gamma(context.addTrainable(name + "/gamma", {input[3]}, StepTensor::NormalizationCopy)),
      m_beta(context.addTrainable(name + "/beta", {input[3]}, StepTensor::NormalizationCopy)),
      m_movingMean(context.addMoving(name + "/moving_mean", {input[3]})),
      m_movingVariance(context.addMoving(name + "/moving_variance", {input[3]})),
      m_mean(context.allocate(StepTensor::BatchStatistics, {input[3]})),
      m_variance(context.allocate(StepTensor::BatchStatistics, {input[3]})),
      m_output(context.allocate(StepTensor::NormalizationOutput, input)) {
    const std::vector<float> ones(static_cast<std::size_t>(input[3]), 1.0f);
    m_device.upload(ones, m_gamma.value);
    m_device.upload(ones, m_movingVariance.value);
}

Tensor BatchNormalization::forward(const Tensor& x, Mode mode) {
    const Tensor y = tensor::firstOf(m_output, x.shape[0]);
    tensor::requireShape("BatchNormalization", x, y.shape);
    normalize(x, mode, y);
    return y;
}

void BatchNormalization::forwardPooled(const Tensor& x, Mode mode, const Tensor& pooled) {
    tensor::requireShape("BatchNormalization", pooled, {x.shape[0], x.shape[3]});
    normalize(x, mode, pooled);
}

void BatchNormalization::normalize(const Tensor& x, Mode mode, const Tensor& y) {
    m_x = x;
    if (mode == Mode::Training) {
        m_device.batchNormTrain(x, m_gamma.compute, m_beta.compute, kEpsilon, m_mean, m_variance, y);
    } else {
        m_device.batchNormInference(x, m_gamma.compute, m_beta.compute, kEpsilon, m_movingMean.compute,
                                    m_movingVariance.compute, y);
    }
}

void BatchNormalization::backward(const Tensor& dy) {
    tensor::requireShape("BatchNormalization backward", dy, m_x.shape);
    m_device.batchNormBackward(m_x, dy, m_gamma.compute, kEpsilon, m_mean, m_variance, dy, m_gamma.gradient,
                               m_beta.gradient);
}

void BatchNormalization::backwardThroughRelu(const Tensor& dy, const Tensor& dx, const Tensor& biasGradient) {
    tensor::requireShape("BatchNormalization backward", dx, m_x.shape);
    if (dy.shape.rank() != 2) {
        tensor::requireShape("BatchNormalization backward", dy, m_x.shape);
    } else {
        tensor::requireShape("BatchNormalization backward", dy, {m_x.shape[0], m_x.shape[3]});
    }
    m_device.batchNormReluBackward(m_x, dy, m_gamma.compute, kEpsilon, m_mean, m_variance, dx, m_gamma.gradient,
                                   m_beta.gradient, biasGradient);
}

void BatchNormalization::updateMovingAverages() {
    m_device.movingAverage(m_mean, kMomentum, m_movingMean.value);
    m_device.movingAverage(m_variance, kMomentum, m_movingVariance.value);
}

} // namespace halfstep::nn
