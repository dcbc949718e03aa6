#include "engine/nn/convnet.h"
#include "engine/nn/initializers.h"

namespace halfstep::nn {
using precision::StepTensor;
using tensor::firstOf;
using tensor::Shape;
using tensor::Tensor;
using values::Pass;
using values::TensorRole;

namespace {
constexpr std::string_view kPooling = "global_average_pooling2d";
constexpr const char* kDense = "dense";
} // namespace

ConvNet::ConvNet(std::shared_ptr<backend::Backend> device, const Options& options)
    : m_device(std::move(device)),
      m_traits(precision::traitsOf(options.policy)) {
    const std::int64_t batchCapacity = options.batchCapacity;
    const LayerContext context{*m_device, m_traits, batchCapacity, m_variables, options.tally};
    m_imageBuffer = context.allocate(StepTensor::Images, {batchCapacity, options.height, options.width, 3});
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
    m_pooledBuffer = context.allocate(StepTensor::PooledOutput, {batchCapacity, shape[3]});
    m_pooledGradientBuffer = context.allocate(StepTensor::ActivationGradient, {batchCapacity, shape[3]});
    m_logitsGradientBuffer = context.allocate(StepTensor::LossGradient, {batchCapacity, options.classes});
    m_dense.emplace(context, kDense, shape[3], options.classes);
}

ConvNet::Block& ConvNet::addBlock(const LayerContext& context, const Conv2DOptions& options,
                                  const std::string& normalization, const Shape& input) {
    Conv2D convolution(context, options, input);
    const Shape output = convolution.outputShape();
    return m_blocks.emplace_back(Block{options.name, normalization, std::move(convolution),
                                       BatchNormalization(context, normalization, output),
                                       context.allocate(StepTensor::ActivationGradient, output)});
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
    showVariables();
    show("input", "images", Pass::Forward, TensorRole::Activation, m_images);
    Tensor x = m_images;
    for (Block& block : m_blocks) {
        const Tensor& y = block.convolution.forward(x, mode);
        show(block.convolutionName, "output", Pass::Forward, TensorRole::Activation, y);
        x = block.normalization.forward(y, mode);
        show(block.normalizationName, "output", Pass::Forward, TensorRole::Activation, x);
    }
    const Tensor pooled = firstOf(m_pooledBuffer, x.shape[0]);
    m_device->globalAveragePool(x, pooled);
    show(kPooling, "output", Pass::Forward, TensorRole::Activation, pooled);
    m_logits = m_dense->forward(pooled);
    show(kDense, "logits", Pass::Forward, TensorRole::Activation, m_logits);
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
    const Tensor logitsGradient = firstOf(m_logitsGradientBuffer, n);
    show("loss", "logits gradient", Pass::Backward, TensorRole::Gradient, logitsGradient);
    const Tensor pooledGradient = firstOf(m_pooledGradientBuffer, n);
    m_dense->backward(logitsGradient, pooledGradient);
    showGradients(kDense);
    show(kPooling, "output gradient", Pass::Backward, TensorRole::Gradient, pooledGradient);
    const Tensor last = firstOf(m_blocks.back().gradient, n);
    m_device->globalAveragePoolBackward(pooledGradient, last);
    show(m_blocks.back().normalizationName, "output gradient", Pass::Backward, TensorRole::Gradient, last);
    for (std::size_t i = m_blocks.size(); i-- > 0;) {
        Block& block = m_blocks[i];
        const Tensor gradient = firstOf(block.gradient, n);
        block.normalization.backward(gradient);
        showGradients(block.normalizationName);
        show(block.convolutionName, "output gradient", Pass::Backward, TensorRole::Gradient, gradient);
        if (i == 0) {
            block.convolution.backward(gradient, nullptr);
            showGradients(block.convolutionName);
            return;
        }
        const Tensor below = firstOf(m_blocks[i - 1].gradient, n);
        block.convolution.backward(gradient, &below);
        showGradients(block.convolutionName);
        show(m_blocks[i - 1].normalizationName, "output gradient", Pass::Backward, TensorRole::Gradient, below);
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

void ConvNet::show(std::string_view layer, std::string_view name, Pass pass, TensorRole role,
                   const Tensor& tensor) const {
    if (m_observer != nullptr) {
        m_observer->saw({layer, name, pass, role, tensor});
    }
}

void ConvNet::showVariables() const {
    for (const Variable& variable : m_variables) {
        const std::string_view name = variable.name;
        const std::size_t slash = name.find('/');
        show(name.substr(0, slash), name.substr(slash + 1), Pass::Forward, TensorRole::Weight, variable.value);
    }
}

void ConvNet::showGradients(std::string_view layer) const {
    for (const Variable& variable : m_variables) {
        const std::string_view name = variable.name;
        const std::size_t slash = name.find('/');
        if (variable.trainable && name.substr(0, slash) == layer) {
            show(layer, std::string(name.substr(slash + 1)) + " gradient", Pass::Backward, TensorRole::Gradient,
                 variable.gradient);
        }
    }
}

} // namespace halfstep::nn
