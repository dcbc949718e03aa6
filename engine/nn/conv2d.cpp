#include "engine/nn/conv2d.h"

namespace halfstep::nn {
using tensor::Shape;
using tensor::Tensor;

namespace {
std::int64_t ceilDiv(std::int64_t size, int stride) {
    return (size + stride - 1) / stride;
}
} // namespace

Conv2D::Conv2D(const LayerContext& context, const Conv2DOptions& options, const Shape& input)
    : m_device(context.device),
      m_options(options),
      m_inputShape(input),
      m_kernel(context.addTrainable(options.name + "/kernel",
                                    {options.kernelSize, options.kernelSize, input[3], options.filters},
                                    precision::StepTensor::WeightCopy)),
      m_bias(context.addTrainable(options.name + "/bias", {options.filters}, precision::StepTensor::WeightCopy)),
      m_output(context.allocate(
          precision::StepTensor::ConvolutionOutput,
          {input[0], ceilDiv(input[1], options.stride), ceilDiv(input[2], options.stride), options.filters})) {}

const Tensor& Conv2D::forward(const Tensor& x) {
    tensor::requireShape("Conv2D", x, {x.shape[0], m_inputShape[1], m_inputShape[2], m_inputShape[3]});
    m_x = x;
    m_y = tensor::firstOf(m_output, x.shape[0]);
    m_device.conv2dBiasRelu(m_x, m_kernel.compute, m_bias.compute, m_options.stride, m_y);
    return m_y;
}

void Conv2D::reluBackward(const Tensor& dy) {
    tensor::requireShape("Conv2D backward", dy, m_y.shape);
    m_device.biasReluBackward(m_y, dy, m_bias.gradient);
}

void Conv2D::backward(const Tensor& dy, const Tensor* dx) {
    tensor::requireShape("Conv2D backward", dy, m_y.shape);
    m_device.conv2dBackwardWeights(m_x, dy, m_options.stride, m_kernel.gradient);
    if (dx != nullptr) {
        tensor::requireShape("Conv2D backward", *dx, m_x.shape);
        m_device.conv2dBackwardData(m_kernel.compute, dy, m_options.stride, *dx);
    }
}

} // namespace halfstep::nn
