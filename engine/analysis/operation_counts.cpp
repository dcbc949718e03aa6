#include "engine/analysis/operation_counts.h"
#include <algorithm>

namespace halfstep::analysis {
namespace {

double number(std::int64_t value) {
    return static_cast<double>(value);
}

/// "conv2d", "conv2d_1", ...
std::string named(const std::string& kind, std::size_t index) {
    return index == 0 ? kind : kind + "_" + std::to_string(index);
}

// Operations for each element, as the formulas of engine/backend/backend.h have them; memory decides there.
constexpr double kNormalizeTrain = 7;     // difference, sum; its square, sum; difference, times scale plus beta
constexpr double kNormalizeBackward = 10; // x^: 2; sums of dy and dy x^: 3; dx: difference, two products and sums
constexpr double kAdam = 12;              // m: 3, v: 4, w: root, sum, product, quotient, difference
constexpr double kSoftmax = 6;            // difference, exponential, sum, quotient, minus one-hot, scale

struct Variables {
    std::int64_t all = 0;  ///< elements that are trained
    std::int64_t cast = 0; ///< of those, the ones with a copy in the compute dtype
    std::int64_t moving = 0;
};

Variables variablesOf(const StepShape& step) {
    Variables v;
    for (std::size_t i = 0; i < step.layers.size(); ++i) {
        const ConvolutionShape shape = convolutionOf(step, i);
        v.cast += shape.weights() + shape.filters;
        v.all += 2 * shape.filters;
        v.moving += 2 * shape.filters;
    }
    v.cast += step.layers.back().filters * step.classes + step.classes;
    v.all += v.cast;
    return v;
}

} // namespace

double leastSeconds(const OperationCount& count, double flopsPerSecond, double bytesPerSecond) {
    return std::max(count.flops / flopsPerSecond, count.bytes / bytesPerSecond);
}

std::int64_t ConvolutionShape::outputs() const {
    return batch * ((height + stride - 1) / stride) * ((width + stride - 1) / stride) * filters;
}
std::int64_t ConvolutionShape::inputs() const {
    return batch * height * width * channels;
}
std::int64_t ConvolutionShape::weights() const {
    return kernel * kernel * channels * filters;
}

OperationCount directConvolution(const ConvolutionShape& shape, ConvolutionPass pass, int elementBytes) {
    OperationCount count{2 * number(shape.outputs()) * number(shape.kernel * shape.kernel * shape.channels),
                         number(shape.inputs() + shape.weights() + shape.outputs()) * elementBytes};
    if (pass == ConvolutionPass::Forward) {
        count.flops += 2 * number(shape.outputs());
        count.bytes += number(shape.filters) * elementBytes;
    }
    return count;
}

ConvolutionShape convolutionOf(const StepShape& step, std::size_t index) {
    ConvolutionShape shape{step.batch, step.height, step.width, 3, 0, 3, 2};
    for (std::size_t i = 0; i <= index; ++i) {
        if (i > 0) {
            shape.height = (shape.height + 1) / 2;
            shape.width = (shape.width + 1) / 2;
        }
        shape.channels = shape.filters;
        shape.kernel = step.layers[i].kernel;
        shape.filters = step.layers[i].filters;
    }
    return shape;
}

std::vector<StepOperation> stepOperations(const StepShape& step) {
    const double h = step.elementBytes, v = step.variableBytes;
    const std::size_t layers = step.layers.size();
    const Variables variables = variablesOf(step);
    const std::int64_t pooled = step.batch * step.layers.back().filters, logits = step.batch * step.classes;
    const std::int64_t last = convolutionOf(step, layers - 1).outputs();
    const double denseProducts = number(step.batch * step.layers.back().filters * step.classes);
    const double denseWeights = number((step.layers.back().filters + 1) * step.classes);

    std::vector<StepOperation> operations;
    const auto add = [&](const std::string& layer, const char* operation, double flops, double bytes) {
        operations.push_back({layer, operation, {flops, bytes}});
    };
    const auto addConvolution = [&](std::size_t i, const char* operation, ConvolutionPass pass) {
        operations.push_back(
            {named("conv2d", i), operation, directConvolution(convolutionOf(step, i), pass, step.elementBytes)});
    };

    const double images = number(convolutionOf(step, 0).inputs());
    add("images", "normalize", images, images * (1 + h));
    if (step.elementBytes != step.variableBytes) {
        add("variables", "cast", 0, number(variables.cast) * (h + v));
    }
    for (std::size_t i = 0; i < layers; ++i) {
        const double elements = number(convolutionOf(step, i).outputs());
        addConvolution(i, "forward", ConvolutionPass::Forward);
        add(named("batch_normalization", i), "forward", kNormalizeTrain * elements, 2 * elements * h);
    }
    add("global_average_pooling2d", "forward", number(last), number(last + pooled) * h);
    add("dense", "forward", 2 * denseProducts, (number(pooled + logits) + denseWeights) * h);
    add("loss", "forward_backward", kSoftmax * number(logits), 2 * number(logits) * h);
    add("dense", "backward", 4 * denseProducts, (number(2 * pooled + logits) + 2 * denseWeights) * h);
    add("global_average_pooling2d", "backward", number(pooled), number(last + pooled) * h);
    for (std::size_t i = layers; i-- > 0;) {
        const double elements = number(convolutionOf(step, i).outputs());
        add(named("batch_normalization", i), "backward", kNormalizeBackward * elements, 3 * elements * h);
        add(named("conv2d", i), "relu_backward", elements, 3 * elements * h);
        addConvolution(i, "backward_weights", ConvolutionPass::BackwardWeights);
        if (i > 0) {
            addConvolution(i, "backward_data", ConvolutionPass::BackwardData);
        }
    }
    add("variables", "unscale", number(variables.all), number(variables.all) * (h + v));
    add("variables", "adam", kAdam * number(variables.all), number(variables.all) * 7 * v);
    add("variables", "moving_average", 3 * number(variables.moving), number(variables.moving) * (4 + 2 * v));
    return operations;
}

} // namespace halfstep::analysis
