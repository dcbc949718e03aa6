#include "engine/nn/convnet.h"
#include "engine/nn/initializers.h"

namespace halfstep::nn {
using tensor::DType;
using tensor::firstOf;
using tensor::Shape;
using tensor::Tensor;

ConvNet::ConvNet(std::shared_ptr<backend::Backend> device, const Options& options)
    : m_device(std::move(device)),
      m_traits(precision::traitsOf(options.policy)) {
    const std::int64_t batchCapacity = options.batchCapacity;
    const LayerContext context{*m_device, m_traits, batchCapacity, m_variables};
    m_imageBuffer = context.activation({batchCapacity, options.height, options.width, 3});
    Shape shape = m_imageBuffer.shape;
    shape = addBlock(context, {.name = "conv2d", .filters = 32, .kernelSize = 5, .stride = 2}, "batch_normalization",
                     shape)
                .convolution.outputShape();
    shape = addBlock(context, {.name = "conv2d_1", .filters = 64, .kernelSize = 7, .stride = 2},
                     "batch_normalization_1", shape)
                .convolution.outputShape();
    shape = addBlock(context, {.name = "conv2d_2", .filters = 128, .kernelSize = 11, .stride = 2},
                     "batch_normalization_2", shape)
                .convolution.outputShape();
    m_pooledBuffer = context.activation({batchCapacity, shape[3]});
    m_pooledGradientBuffer = context.activation({batchCapacity, shape[3]});
    m_logitsGradientBuffer = context.activation({batchCapacity, options.classes});
    m_dense.emplace(context, "dense", shape[3], options.classes);
}

ConvNet::Block& ConvNet::addBlock(const LayerContext& context, const Conv2DOptions& options,
                                  const std::string& normalization, const Shape& input) {
    Conv2D convolution(context, options, input);
    const Shape output = convolution.outputShape();
    return m_blocks.emplace_back(Block{std::move(convolution), BatchNormalization(context, normalization, output),
                                       context.activation(output)});
}

void ConvNet::initialize(std::uint64_t seed) {
    tensor::Random random(seed);
    for (Variable& variable : m_variables) {
        if (variable.name.ends_with("/kernel")) {
            m_device->upload(glorotUniform(variable.value.shape, random), variable.value);
        }
    }
}

const Tensor& ConvNet::input(std::int64_t n) {
    m_images = firstOf(m_imageBuffer, n);
    return m_images;
}

const Tensor& ConvNet::forward(Mode mode) {
    for (Variable& variable : m_variables) {
        if (variable.compute.data != variable.value.data) {
            m_device->cast(variable.value, variable.compute);
        }
    }
    Tensor x = m_images;
    for (Block& block : m_blocks) {
        x = block.normalization.forward(block.convolution.forward(x), mode);
    }
    const Tensor pooled = firstOf(m_pooledBuffer, x.shape[0]);
    m_device->globalAveragePool(x, pooled);
    m_logits = m_dense->forward(pooled);
    return m_logits;
}

backend::LossResult ConvNet::loss(std::span<const std::int64_t> labels, std::optional<float> lossScale,
                                  std::span<float> probabilities) {
    const Tensor gradient = firstOf(m_logitsGradientBuffer, m_logits.shape[0]);
    return m_device->softmaxCrossEntropy(m_logits, labels, lossScale.value_or(1.0f), lossScale ? &gradient : nullptr,
                                         probabilities);
}

void ConvNet::backward() {
    const std::int64_t n = m_logits.shape[0];
    const Tensor pooledGradient = firstOf(m_pooledGradientBuffer, n);
    m_dense->backward(firstOf(m_logitsGradientBuffer, n), pooledGradient);
    m_device->globalAveragePoolBackward(pooledGradient, firstOf(m_blocks.back().gradient, n));
    for (std::size_t i = m_blocks.size(); i-- > 0;) {
        const Tensor gradient = firstOf(m_blocks[i].gradient, n);
        m_blocks[i].normalization.backward(gradient);
        if (i > 0) {
            const Tensor below = firstOf(m_blocks[i - 1].gradient, n);
            m_blocks[i].convolution.backward(gradient, &below);
        } else {
            m_blocks[i].convolution.backward(gradient, nullptr);
        }
    }
}

bool ConvNet::unscaleGradients(float lossScale) {
    bool finite = true;
    for (Variable& variable : m_variables) {
        if (variable.trainable) {
            finite = m_device->unscale(variable.gradient, lossScale, variable.unscaledGradient) && finite;
        }
    }
    return finite;
}

void ConvNet::updateMovingAverages() {
    for (Block& block : m_blocks) {
        block.normalization.updateMovingAverages();
    }
}

} // namespace halfstep::nn
