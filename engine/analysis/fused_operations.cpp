#include "engine/analysis/fused_operations.h"
#include "engine/precision/policy.h"
#include <fmt/format.h>

namespace halfstep::analysis {
namespace {

using Operations = std::vector<StepOperation>;

constexpr double kSgd = 2; // product, difference

/// Takes an operation out of the list.
StepOperation taken(Operations& operations, const std::string& layer, const std::string& operation) {
    for (auto i = operations.begin(); i != operations.end(); ++i) {
        if (i->layer == layer && i->operation == operation) {
            StepOperation found = *i;
            operations.erase(i);
            return found;
        }
    }
    return {layer, operation, {}};
}

StepOperation& named(Operations& operations, const std::string& layer, const std::string& operation) {
    for (StepOperation& found : operations) {
        if (found.layer == layer && found.operation == operation) {
            return found;
        }
    }
    return operations.emplace_back(StepOperation{layer, operation, {}});
}

} // namespace

Operations fusedStepOperations(const StepShape& step, values::OptimizerKind optimizer) {
    Operations operations = stepOperations(step);
    const std::string pooling = "global_average_pooling2d";
    const double h = step.elementBytes;
    const double pooled = static_cast<double>(step.batch * step.layers.back().filters) * h;
    for (std::size_t i = 0; i < step.layers.size(); ++i) {
        const std::string number = i == 0 ? std::string() : fmt::format("_{}", i);
        const std::string layer = "batch_normalization" + number;
        const bool last = i + 1 == step.layers.size();
        const double tensor = static_cast<double>(convolutionOf(step, i).outputs()) * h;
        StepOperation& backward = named(operations, layer, "backward");
        backward.operation = last ? "backward_pooling_relu" : "backward_relu";
        backward.count.bytes = last ? 2 * tensor + pooled : 3 * tensor;
        double flops = taken(operations, "conv2d" + number, "relu_backward").count.flops;
        if (last) {
            flops += taken(operations, pooling, "backward").count.flops;
            const double means = taken(operations, pooling, "forward").count.flops;
            StepOperation& forward = named(operations, layer, "forward");
            forward.operation = "forward_pooling";
            forward.count = {forward.count.flops + means, tensor + pooled};
        }
        named(operations, layer, last ? "backward_pooling_relu" : "backward_relu").count.flops += flops;
    }
    StepOperation& update = named(operations, "variables", "adam");
    update.operation = "optimizer";
    if (optimizer == values::OptimizerKind::Sgd) {
        const double variables = update.count.bytes / (7.0 * step.variableBytes);
        update.count = {kSgd * variables, 3 * variables * step.variableBytes};
    }
    return operations;
}

StepShape stepShapeOf(const values::ExperimentConfig& config, std::int64_t classes) {
    const precision::PolicyTraits& traits = precision::traitsOf(config.policy);
    StepShape step;
    step.batch = config.batchSize;
    step.height = step.width = config.imageSize;
    step.classes = classes;
    step.elementBytes = static_cast<int>(tensor::bytesOf(traits.computeDType));
    step.variableBytes = static_cast<int>(tensor::bytesOf(traits.variableDType));
    return step;
}

} // namespace halfstep::analysis
