#include "tests/support/reference_network.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/layer_oracle.h"
#include "tests/support/optimizer_oracle.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace halfstep::support {
namespace {

constexpr double kBatchNormEpsilon = 0.001;
constexpr double kMomentum = 0.99;
constexpr int kStride = 2;
const std::array<std::string, 3> kSuffixes{"", "_1", "_2"};

/// What the forward pass of one convolution + batch norm keeps for the way back.
struct Block {
    std::string suffix;
    Array x, kernel;  ///< rounded
    Array activation; ///< y of the convolution
    Moments moments;
    Array y;
};

class Network {
public:
    Network(const ConvnetCase& input, const ReferenceOptions& options) : m_input(input), m_options(options) {
        for (const auto& [name, value] : input.weights) {
            m_weights[name] = variable(value);
        }
    }

    /// Fills loss and logits of the result.
    LossHead forward(ReferenceStep& step) {
        Array x = stored(m_input.images);
        for (std::size_t i = 0; i < kSuffixes.size(); ++i) {
            m_blocks.push_back(forwardBlock(kSuffixes[i], x, step.nearestToKink[i]));
            x = m_blocks.back().y;
        }
        m_pooled = stored(globalAveragePool(x));
        m_denseKernel = stored(weight("dense/kernel"));
        step.logits = stored(dense(m_pooled, m_denseKernel, stored(weight("dense/bias"))));
        LossHead head = softmaxCrossEntropy(step.logits, m_input.labels, m_options.lossScale);
        step.loss = head.lossSum / static_cast<double>(m_input.labels.size());
        return head;
    }

    void backward(const LossHead& head, ReferenceStep& step) {
        DenseGradients gradients = denseBackward(m_pooled, m_denseKernel, stored(head.dlogits));
        keepGradient("dense/kernel", gradients.dw, step);
        keepGradient("dense/bias", gradients.db, step);
        Array dy = stored(globalAveragePoolBackward(stored(gradients.dx), m_blocks.back().y.shape));
        for (auto block = m_blocks.rbegin(); block != m_blocks.rend(); ++block) {
            dy = backwardBlock(*block, dy, step);
        }
    }

    void update(ReferenceStep& step) {
        step.updated = m_weights;
        if (!step.gradientsFinite) {
            return;
        }
        AdamSettings settings{.learningRate = m_options.learningRate};
        settings.epsilon = variable({{1}, {settings.epsilon}})[0];
        for (const auto& [name, gradient] : step.gradients) {
            AdamState state{zeros(gradient.shape), zeros(gradient.shape), weight(name)};
            adam(gradient, settings, 1, state);
            step.updated[name] = variable(state.w);
        }
        for (const Block& block : m_blocks) {
            const std::string name = "batch_normalization" + block.suffix;
            Array& mean = step.updated[name + "/moving_mean"];
            Array& variance = step.updated[name + "/moving_variance"];
            mean = variable(movingAverage(mean, block.moments.mean, kMomentum));
            variance = variable(movingAverage(variance, block.moments.variance, kMomentum));
        }
    }

private:
    const Array& weight(const std::string& name) const { return m_weights.at(name); }

    /// As the policy keeps it in memory.
    Array stored(Array array) const {
        return m_options.computeDType ? rounded(*m_options.computeDType, std::move(array)) : array;
    }

    Array variable(Array array) const {
        return m_options.variableDType ? rounded(*m_options.variableDType, std::move(array)) : array;
    }

    Block forwardBlock(const std::string& suffix, const Array& x, double& nearestToKink) const {
        const std::string norm = "batch_normalization" + suffix;
        Block block{suffix, x, stored(weight("conv2d" + suffix + "/kernel")), {}, {}, {}};
        Array sums = conv2dBias(x, block.kernel, stored(weight("conv2d" + suffix + "/bias")), kStride);
        nearestToKink = std::numeric_limits<double>::infinity();
        for (double& sum : sums.values) {
            nearestToKink = std::min(nearestToKink, std::abs(sum));
            sum = std::max(sum, 0.0);
        }
        block.activation = stored(std::move(sums));
        block.moments = batchMoments(block.activation);
        block.y = stored(batchNorm(block.activation, weight(norm + "/gamma"), weight(norm + "/beta"),
                                   kBatchNormEpsilon, block.moments));
        return block;
    }

    /// The gradient of the block's input; empty for the first block, which nobody asks.
    Array backwardBlock(const Block& block, const Array& dy, ReferenceStep& step) const {
        const std::string norm = "batch_normalization" + block.suffix;
        const std::string convolution = "conv2d" + block.suffix;
        BatchNormGradients normGradients =
            batchNormBackward(block.activation, dy, weight(norm + "/gamma"), kBatchNormEpsilon, block.moments);
        keepGradient(norm + "/gamma", normGradients.dgamma, step);
        keepGradient(norm + "/beta", normGradients.dbeta, step);
        const BiasReluGradients relu = biasReluBackward(block.activation, stored(std::move(normGradients.dx)));
        keepGradient(convolution + "/bias", relu.db, step);
        keepGradient(convolution + "/kernel", conv2dBackwardWeights(block.x, relu.dy, kStride, block.kernel.shape[0]),
                     step);
        return block.suffix.empty() ? Array{}
                                    : stored(conv2dBackwardData(block.kernel, relu.dy, kStride, block.x.shape));
    }

    void keepGradient(const std::string& name, Array gradient, ReferenceStep& step) const {
        gradient = variable(scaled(stored(std::move(gradient)), 1.0 / m_options.lossScale));
        step.gradientsFinite = step.gradientsFinite && std::all_of(gradient.values.begin(), gradient.values.end(),
                                                                   [](double value) { return std::isfinite(value); });
        step.gradients[name] = std::move(gradient);
    }

    const ConvnetCase& m_input;
    const ReferenceOptions& m_options;
    Arrays m_weights; ///< as the policy keeps them
    std::vector<Block> m_blocks;
    Array m_pooled;
    Array m_denseKernel;
};

} // namespace

ReferenceStep referenceStep(const ConvnetCase& input, const ReferenceOptions& options) {
    ReferenceStep step;
    Network network(input, options);
    network.backward(network.forward(step), step);
    network.update(step);
    return step;
}

ReferenceOptions referenceOptionsOf(precision::Policy policy, double lossScale) {
    const precision::PolicyTraits& traits = precision::traitsOf(policy);
    ReferenceOptions options{.lossScale = lossScale};
    if (traits.computeDType != DType::Float32) {
        options.computeDType = traits.computeDType;
    }
    if (traits.variableDType != DType::Float32) {
        options.variableDType = traits.variableDType;
    }
    return options;
}

double referenceLoss(const ConvnetCase& input, const ReferenceOptions& options) {
    ReferenceStep step;
    Network(input, options).forward(step);
    return step.loss;
}

} // namespace halfstep::support
