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
constexpr std::string_view kVariables = "variables";
} // namespace

std::vector<ConvolutionLayer> ConvNet::convolutionsOf(const Options& options) {
    std::vector<ConvolutionLayer> layers;
    Shape shape{options.batchCapacity, options.height, options.width, 3};
    for (const Conv2DOptions& layer :
         {Conv2DOptions{.name = "conv2d", .filters = 32, .kernelSize = 5, .stride = 2},
          Conv2DOptions{.name = "conv2d_1", .filters = 64, .kernelSize = 7, .stride = 2},
          Conv2DOptions{.name = "conv2d_2", .filters = 128, .kernelSize = 11, .stride = 2}}) {
        const Shape output = Conv2D::outputOf(shape, layer);
        layers.push_back({layer, shape, output});
        shape = output;
    }
    return layers;
}

ConvNet::ConvNet(std::shared_ptr<backend::Backend> device, const Options& options)
    : m_device(std::move(device)),
      m_traits(precision::traitsOf(options.policy)) {
    const std::int64_t batchCapacity = options.batchCapacity;
    const LayerContext context{*m_device, m_traits, batchCapacity, m_variables, options.tally};
    m_imageBuffer = context.allocate(StepTensor::Images, {batchCapacity, options.height, options.width, 3});
    const std::vector<ConvolutionLayer> layers = convolutionsOf(options);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        addBlock(context, layers[i].options, "batch_normalization" + (i == 0 ? "" : '_' + std::to_string(i)),
                 layers[i].input);
    }
    const Shape shape = layers.back().output;
    m_pooledBuffer = context.allocate(StepTensor::PooledOutput, {batchCapacity, shape[3]});
    m_pooledGradientBuffer = context.allocate(StepTensor::ActivationGradient, {batchCapacity, shape[3]});
    m_logitsGradientBuffer = context.allocate(StepTensor::LossGradient, {batchCapacity, options.classes});
    m_dense.emplace(context, kDense, shape[3], options.classes);
}

void ConvNet::addBlock(const LayerContext& context, const Conv2DOptions& options, const std::string& normalization,
                       const Shape& input) {
    Conv2D convolution(context, options, input);
    const Shape output = convolution.outputShape();
    m_blocks.emplace_back(Block{options.name, normalization, std::move(convolution),
                                BatchNormalization(context, normalization, output)});
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
    if (m_traits.computeDType != m_traits.variableDType) {
        lap(kVariables, "cast");
    }
    showVariables();
    show("input", "images", Pass::Forward, TensorRole::Activation, m_images);
    const Tensor pooled = firstOf(m_pooledBuffer, m_images.shape[0]);
    Tensor x = m_images;
    for (Block& block : m_blocks) {
        const Tensor& y = block.convolution.forward(x, mode);
        lap(block.convolutionName, "forward");
        show(block.convolutionName, "output", Pass::Forward, TensorRole::Activation, y);
        if (&block == &m_blocks.back() && m_observer == nullptr) {
            block.normalization.forwardPooled(y, mode, pooled);
            lap(block.normalizationName, "forward_pooling");
            break;
        }
        x = block.normalization.forward(y, mode);
        lap(block.normalizationName, "forward");
        show(block.normalizationName, "output", Pass::Forward, TensorRole::Activation, x);
    }
    if (m_observer != nullptr) {
        m_device->globalAveragePool(x, pooled);
        lap(kPooling, "forward");
        show(kPooling, "output", Pass::Forward, TensorRole::Activation, pooled);
    }
    m_logits = m_dense->forward(pooled);
    lap(kDense, "forward");
    show(kDense, "logits", Pass::Forward, TensorRole::Activation, m_logits);
    return m_logits;
}

backend::LossResult ConvNet::loss(std::span<const std::int64_t> labels, std::optional<float> lossScale,
                                  std::span<float> probabilities) {
    const Tensor gradient = firstOf(m_logitsGradientBuffer, m_logits.shape[0]);
    const backend::LossResult result = m_device->softmaxCrossEntropy(m_logits, labels, lossScale.value_or(1.0f),
                                                                     lossScale ? &gradient : nullptr, probabilities);
    lap("loss", "forward_backward");
    return result;
}

void ConvNet::backward() {
    const std::int64_t n = m_logits.shape[0];
    const Tensor logitsGradient = firstOf(m_logitsGradientBuffer, n);
    show("loss", "logits gradient", Pass::Backward, TensorRole::Gradient, logitsGradient);
    const Tensor pooledGradient = firstOf(m_pooledGradientBuffer, n);
    m_dense->backward(logitsGradient, pooledGradient);
    lap(kDense, "backward");
    showGradients(kDense);
    show(kPooling, "output gradient", Pass::Backward, TensorRole::Gradient, pooledGradient);
    Tensor dy = pooledGradient;
    if (m_observer != nullptr) {
        dy = firstOf(m_blocks.back().gradient(), n);
        m_device->globalAveragePoolBackward(pooledGradient, dy);
        lap(kPooling, "backward");
        show(m_blocks.back().normalizationName, "output gradient", Pass::Backward, TensorRole::Gradient, dy);
    }
    for (std::size_t i = m_blocks.size(); i-- > 0;) {
        Block& block = m_blocks[i];
        const Tensor gradient = firstOf(block.gradient(), n);
        backwardToConvolution(block, dy, gradient);
        block.convolution.backwardWeights(gradient);
        lap(block.convolutionName, "backward_weights");
        if (i == 0) {
            showGradients(block.convolutionName);
            return;
        }
        dy = firstOf(m_blocks[i - 1].gradient(), n);
        block.convolution.backwardData(gradient, dy);
        lap(block.convolutionName, "backward_data");
        showGradients(block.convolutionName);
        show(m_blocks[i - 1].normalizationName, "output gradient", Pass::Backward, TensorRole::Gradient, dy);
    }
}

void ConvNet::backwardToConvolution(Block& block, const Tensor& dy, const Tensor& dx) {
    if (m_observer == nullptr) {
        block.normalization.backwardThroughRelu(dy, dx, block.convolution.biasGradient());
        lap(block.normalizationName, dy.shape.rank() == 2 ? "backward_pooling_relu" : "backward_relu");
        return;
    }
    block.normalization.backward(dx);
    lap(block.normalizationName, "backward");
    showGradients(block.normalizationName);
    show(block.convolutionName, "output gradient", Pass::Backward, TensorRole::Gradient, dx);
    block.convolution.reluBackward(dx);
    lap(block.convolutionName, "relu_backward");
}

bool ConvNet::unscaleGradients(float lossScale) {
    bool finite = true;
    for (Variable& variable : m_variables) {
        if (variable.trainable) {
            finite = m_device->unscale(variable.gradient, lossScale, variable.unscaledGradient) && finite;
        }
    }
    lap(kVariables, "unscale");
    return finite;
}

void ConvNet::updateMovingAverages() {
    for (Block& block : m_blocks) {
        block.normalization.updateMovingAverages();
    }
    lap(kVariables, "moving_average");
}

void ConvNet::show(std::string_view layer, std::string_view name, Pass pass, TensorRole role,
                   const Tensor& tensor) const {
    if (m_observer != nullptr) {
        m_observer->saw({layer, name, pass, role, tensor});
    }
}

void ConvNet::showVariables() const {
    if (m_observer == nullptr) {
        return;
    }
    for (const Variable& variable : m_variables) {
        const std::string_view name = variable.name;
        const std::size_t slash = name.find('/');
        show(name.substr(0, slash), name.substr(slash + 1), Pass::Forward, TensorRole::Weight, variable.value);
    }
}

void ConvNet::showGradients(std::string_view layer) const {
    if (m_observer == nullptr) {
        return; // no name is put together for nobody
    }
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
