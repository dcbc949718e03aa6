#include "tests/bench/engine/step_tensors.h"
#include "engine/tensor/random.h"
#include "tests/bench/engine/algorithm_counts.h"
#include <cmath>
#include <stdexcept>

namespace halfstep::bench {

using tensor::DType;
using tensor::Shape;
using tensor::Tensor;

namespace {
constexpr float kEpsilon = 1e-3f, kMomentum = 0.99f;
}

StepTensors::StepTensors(std::shared_ptr<backend::Backend> device, const analysis::StepShape& step, DType dtype)
    : m_device(std::move(device)),
      m_dtype(dtype),
      m_bytes(static_cast<std::size_t>(analysis::convolutionOf(step, 0).inputs()), 100) {
    for (std::int64_t i = 0; i < step.batch; ++i) {
        m_labels.push_back(i % step.classes);
    }
    Tensor x = drawn(dtype, {step.batch, step.height, step.width, 3}, 0, 1);
    for (std::size_t i = 0; i < step.layers.size(); ++i) {
        const analysis::ConvolutionShape s = analysis::convolutionOf(step, i);
        const Shape kernel{s.kernel, s.kernel, s.channels, s.filters}, channels{s.filters};
        const Shape output{s.batch, (s.height + 1) / 2, (s.width + 1) / 2, s.filters};
        const double bound = std::sqrt(6.0 / static_cast<double>(s.kernel * s.kernel * (s.channels + s.filters)));
        // The variance of values between -1 and 1: a gradient goes through the normalization as it is, however often.
        const double variance = 1.0 / 3, gamma = std::sqrt(variance + static_cast<double>(kEpsilon));
        Layer layer{.convolution = {.x = x,
                                    .w = drawn(dtype, kernel, -bound, bound),
                                    .b = drawn(dtype, channels, -0.1, 0.1),
                                    .y = drawn(dtype, output, -1, 1),
                                    .dx = m_device->allocate(dtype, x.shape),
                                    .dw = m_device->allocate(dtype, kernel)},
                    .db = m_device->allocate(dtype, channels),
                    .gamma = drawn(DType::Float32, channels, gamma, gamma),
                    .beta = drawn(DType::Float32, channels, -0.1, 0.1),
                    .mean = drawn(DType::Float32, channels, 0, 0),
                    .variance = drawn(DType::Float32, channels, variance, variance),
                    .dgamma = m_device->allocate(dtype, channels),
                    .dbeta = m_device->allocate(dtype, channels),
                    .activation = drawn(dtype, output, -1, 1),
                    .normalized = drawn(dtype, output, -1, 1),
                    .gradient = drawn(dtype, output, -1, 1)};
        x = layer.normalized;
        m_layers.push_back(std::move(layer));
        addVariable(kernel, true);
        addVariable(channels, true);
        addVariable(channels, false);
        addVariable(channels, false);
    }
    const std::int64_t features = step.layers.back().filters;
    m_pooled = drawn(dtype, {step.batch, features}, -1, 1);
    m_pooledGradient = drawn(dtype, m_pooled.shape, -1, 1);
    m_last = m_device->allocate(dtype, m_layers.back().gradient.shape);
    m_logits = drawn(dtype, {step.batch, step.classes}, -1, 1);
    m_logitsGradient = drawn(dtype, m_logits.shape, -1, 1);
    m_w = drawn(dtype, {features, step.classes}, -0.2, 0.2);
    m_b = drawn(dtype, {step.classes}, -0.1, 0.1);
    m_dw = m_device->allocate(dtype, m_w.shape);
    m_db = m_device->allocate(dtype, m_b.shape);
    addVariable(m_w.shape, true);
    addVariable(m_b.shape, true);
}

Tensor StepTensors::drawn(DType dtype, const Shape& shape, double low, double high) {
    tensor::Random random(1);
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    for (float& value : values) {
        value = static_cast<float>(random.between(low, high));
    }
    Tensor tensor = m_device->allocate(dtype, shape);
    m_device->upload(values, tensor);
    return tensor;
}

void StepTensors::addVariable(const Shape& shape, bool hasCopy) {
    const bool casts = hasCopy && m_dtype != DType::Float32;
    m_variables.push_back({.value = drawn(DType::Float32, shape, -0.1, 0.1),
                           .copy = casts ? m_device->allocate(m_dtype, shape) : Tensor{},
                           .gradient = drawn(m_dtype, shape, -0.1, 0.1),
                           .unscaled = drawn(DType::Float32, shape, -0.1, 0.1),
                           .m = m_device->allocate(DType::Float32, shape),
                           .v = m_device->allocate(DType::Float32, shape)});
}

std::function<void()> StepTensors::variablesRunner(const std::string& operation) {
    if (operation == "cast") {
        return [this] {
            for (const Variable& variable : m_variables) {
                if (variable.copy.data) {
                    m_device->cast(variable.value, variable.copy);
                }
            }
        };
    }
    if (operation == "unscale") {
        return [this] {
            for (const Variable& variable : m_variables) {
                m_device->unscale(variable.gradient, 1.0f, variable.unscaled);
            }
        };
    }
    if (operation == "adam") {
        return [this] {
            for (const Variable& variable : m_variables) {
                m_device->adam(variable.unscaled, {}, 1, variable.m, variable.v, variable.value);
            }
        };
    }
    return [this] { // moving averages
        for (const Layer& layer : m_layers) {
            m_device->movingAverage(layer.mean, kMomentum, layer.beta);
            m_device->movingAverage(layer.variance, kMomentum, layer.beta);
        }
    };
}

std::function<void()> StepTensors::layerRunner(const analysis::StepOperation& operation) {
    const Layer& layer = m_layers.at(indexOf(operation.layer));
    const ConvolutionTensors& c = layer.convolution;
    if (const auto pass = passOf(operation)) {
        return [this, &c, pass] { runPass(*m_device, c, *pass); };
    }
    if (operation.operation == "relu_backward") {
        return [this, &layer, &c] { m_device->biasReluBackward(c.y, layer.gradient, layer.db); };
    }
    if (operation.operation == "forward") {
        return [this, &layer] {
            m_device->batchNormTrain(layer.activation, layer.gamma, layer.beta, kEpsilon, layer.mean, layer.variance,
                                     layer.normalized);
        };
    }
    return [this, &layer] {
        m_device->batchNormBackward(layer.activation, layer.gradient, layer.gamma, kEpsilon, layer.mean,
                                    layer.variance, layer.gradient, layer.dgamma, layer.dbeta);
    };
}

std::function<void()> StepTensors::runner(const analysis::StepOperation& operation) {
    const std::string name = operation.layer + " " + operation.operation;
    if (name == "images normalize") {
        return [this] { m_device->normalizeImages(m_bytes, m_layers.front().convolution.x); };
    }
    if (name == "global_average_pooling2d forward") {
        return [this] { m_device->globalAveragePool(m_layers.back().normalized, m_pooled); };
    }
    if (name == "global_average_pooling2d backward") {
        return [this] { m_device->globalAveragePoolBackward(m_pooledGradient, m_last); };
    }
    if (name == "dense forward") {
        return [this] { m_device->dense(m_pooled, m_w, m_b, m_logits); };
    }
    if (name == "dense backward") {
        return [this] { m_device->denseBackward(m_pooled, m_w, m_logitsGradient, m_pooledGradient, m_dw, m_db); };
    }
    if (name == "loss forward_backward") {
        return [this] { m_device->softmaxCrossEntropy(m_logits, m_labels, 1.0f, &m_logitsGradient, {}); };
    }
    if (operation.layer == "variables") {
        return variablesRunner(operation.operation);
    }
    if (operation.layer.starts_with("conv2d") || operation.layer.starts_with("batch_normalization")) {
        return layerRunner(operation);
    }
    throw std::invalid_argument("no operation of the back end does: " + name);
}

} // namespace halfstep::bench
