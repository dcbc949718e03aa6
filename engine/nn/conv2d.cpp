#include "engine/nn/conv2d.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::nn {
using tensor::Shape;
using tensor::Tensor;

namespace {

std::int64_t outputsOf(std::int64_t size, const Conv2DOptions& options) {
    return options.padding == backend::Padding::Same ? (size + options.stride - 1) / options.stride
                                                     : (size - options.kernelSize) / options.stride + 1;
}

} // namespace

Shape Conv2D::outputOf(const Shape& input, const Conv2DOptions& options) {
    if (options.padding == backend::Padding::Valid && options.kernelSize > std::min(input[1], input[2])) {
        throw ShapeError(
            fmt::format("Conv2D {}: kernels [{}, {}] do not fit inside inputs {} with padding \"valid\".",
                        options.name, options.kernelSize, options.kernelSize, input.text()));
    }
    return {input[0], outputsOf(input[1], options), outputsOf(input[2], options), options.filters};
}

Conv2D::Conv2D(const LayerContext& context, const Conv2DOptions& options, const Shape& input)
    : m_device(context.device),
      m_options{.stride = options.stride, .padding = options.padding},
      m_inputShape(input),
      m_kernel(context.addTrainable(options.name + "/kernel",
                                    {options.kernelSize, options.kernelSize, input[3], options.filters},
                                    precision::StepTensor::WeightCopy)),
      m_bias(context.addTrainable(options.name + "/bias", {options.filters}, precision::StepTensor::WeightCopy)),
      m_output(context.allocate(precision::StepTensor::ConvolutionOutput, outputOf(input, options))) {}

const Tensor& Conv2D::forward(const Tensor& x, Mode mode) {
    tensor::requireShape("Conv2D", x, {x.shape[0], m_inputShape[1], m_inputShape[2], m_inputShape[3]});
    m_x = x;
    m_y = tensor::firstOf(m_output, x.shape[0]);
    m_device.conv2dBiasRelu(m_x, m_kernel.compute, m_bias.compute, m_options, m_y,
                            mode == Mode::Training ? &m_reserve : nullptr);
    return m_y;
}

void Conv2D::reluBackward(const Tensor& dy) {
    tensor::requireShape("Conv2D backward", dy, m_y.shape);
    m_device.biasReluBackward(m_y, dy, m_bias.gradient);
}

void Conv2D::backwardWeights(const Tensor& dy) {
    tensor::requireShape("Conv2D backward", dy, m_y.shape);
    m_device.conv2dBackwardWeights(m_x, dy, m_options, m_kernel.gradient, &m_reserve);
}

void Conv2D::backwardData(const Tensor& dy, const Tensor& dx) {
    tensor::requireShape("Conv2D backward", dy, m_y.shape);
    tensor::requireShape("Conv2D backward", dx, m_x.shape);
    m_device.conv2dBackwardData(m_kernel.compute, dy, m_options, dx, &m_reserve);
}

} // namespace halfstep::nn
