#pragma once
#include "engine/nn/batch_normalization.h"
#include "engine/nn/conv2d.h"
#include "engine/nn/dense.h"
#include "engine/nn/step_clock.h"
#include "engine/nn/step_observer.h"
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halfstep::nn {

/// A convolution as it stands in a network.
struct ConvolutionLayer {
    Conv2DOptions options;
    tensor::Shape input, output;

    tensor::Shape kernel() const { return {options.kernelSize, options.kernelSize, input[3], options.filters}; }
};

/// The article's convnet: three times (convolution with stride 2 + ReLU, then batch normalization), global average
/// pooling, dense layer. Forward and backward are explicit, so that a reader sees every rounding.
///
/// All buffers are made when it is built and hold `batchCapacity` images.
class ConvNet {
public:
    struct Options {
        precision::Policy policy = precision::Policy::Float32;
        std::int64_t height = 256; ///< of the images, pixels
        std::int64_t width = 256;
        std::int64_t classes = 10;
        std::int64_t batchCapacity = 32;
        MemoryTally* tally = nullptr; ///< is told what the network allocates, unless it is null
    };

    /// Its convolutions in order, for batches of batchCapacity images.
    static std::vector<ConvolutionLayer> convolutionsOf(const Options& options);

    ConvNet(std::shared_ptr<backend::Backend> device, const Options& options);

    const precision::PolicyTraits& traits() const { return m_traits; }
    std::deque<Variable>& variables() { return m_variables; }

    /// Shows every tensor of the following passes to `observer`, which may be null (nobody looks).
    void observe(StepObserver* observer) { m_observer = observer; }
    /// Tells `clock`, which may be null, how far the following passes have got.
    void time(StepClock* clock) { m_clock = clock; }

    /// Kernels Glorot-uniform from `seed`, the same for every policy; biases 0, gamma and moving variance 1.
    void initialize(std::uint64_t seed);

    /// Where a batch of n images goes: [n, height, width, 3], compute dtype. Valid until the next call.
    const tensor::Tensor& input(std::int64_t n);

    /// Logits [n, classes] of the images in input(n), in the compute dtype.
    const tensor::Tensor& forward(Mode mode);

    /// Of the last forward pass.
    const tensor::Tensor& logits() const { return m_logits; }

    /// Cross-entropy of the last forward pass; in training also the loss gradient, times `lossScale`, for backward.
    /// `probabilities` [n, classes] may be empty.
    backend::LossResult loss(std::span<const std::int64_t> labels, std::optional<float> lossScale,
                             std::span<float> probabilities = {});

    /// Gradients of all trainable variables from the loss gradient that loss() left.
    void backward();

    /// Takes the gradients to float32, divides them by `lossScale`; true if all are finite.
    bool unscaleGradients(float lossScale);

    void updateMovingAverages();

private:
    struct Block {
        std::string convolutionName, normalizationName;
        Conv2D convolution;
        BatchNormalization normalization;
        /// Of the block's output, and in place of the convolution's. It lies where the output itself does: the
        /// backward pass reads that for the last time when it makes the kernel gradient of the next convolution,
        /// before it writes this.
        const tensor::Tensor& gradient() const { return normalization.output(); }
    };

    std::shared_ptr<backend::Backend> m_device;
    precision::PolicyTraits m_traits;
    std::deque<Variable> m_variables;
    tensor::Tensor m_imageBuffer;
    std::deque<Block> m_blocks;
    std::optional<Dense> m_dense;
    tensor::Tensor m_pooledBuffer, m_pooledGradientBuffer, m_logitsGradientBuffer;
    tensor::Tensor m_images, m_logits;
    StepObserver* m_observer = nullptr;
    StepClock* m_clock = nullptr;

    void show(std::string_view layer, std::string_view name, values::Pass pass, values::TensorRole role,
              const tensor::Tensor& tensor) const;
    void lap(std::string_view layer, std::string_view operation) const {
        if (m_clock != nullptr) {
            m_clock->lap(layer, operation);
        }
    }
    void showVariables() const;
    /// The gradients of the variables of `layer`.
    void showGradients(std::string_view layer) const;
    /// Through batch normalization and ReLU in one pass; in two, where dx is dy, with an observer, who is shown what
    /// lies between.
    void backwardToConvolution(Block& block, const tensor::Tensor& dy, const tensor::Tensor& dx);
    void addBlock(const LayerContext& context, const Conv2DOptions& options, const std::string& normalization,
                  const tensor::Shape& input);
};

} // namespace halfstep::nn
