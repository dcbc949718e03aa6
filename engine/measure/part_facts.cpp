#include "engine/measure/part_facts.h"
#include "engine/analysis/fused_operations.h"
#include "engine/backend/backend.h"
#include "engine/nn/convnet.h"
#include "engine/train/training_state.h"
#include <algorithm>

namespace halfstep::measure {
namespace {

using values::PartKind;
using values::ProfilePart;

ProfilePart* partOf(std::vector<ProfilePart>& parts, const std::string& layer, const std::string& operation) {
    const auto found = std::ranges::find_if(
        parts, [&](const ProfilePart& part) { return part.layer == layer && part.operation == operation; });
    return found == parts.end() ? nullptr : &*found;
}

void addConvolution(std::vector<ProfilePart>& parts, const nn::ConvolutionLayer& layer, backend::Backend& device,
                    tensor::DType dtype) {
    const backend::ConvolutionAlgorithms algorithms = device.convolutionAlgorithms(
        layer.input, layer.kernel(), {.stride = layer.options.stride, .padding = layer.options.padding}, dtype);
    const auto tell = [&](const char* operation, const std::string& algorithm,
                          double backend::ConvolutionFlops::*of) {
        ProfilePart* part = partOf(parts, layer.options.name, operation);
        if (part != nullptr) { // images need no gradient
            part->algorithm = algorithm;
            part->flops = algorithms.flops ? (*algorithms.flops).*of : part->directFlops;
        }
    };
    tell("forward", algorithms.forward, &backend::ConvolutionFlops::forward);
    tell("backward_weights", algorithms.backwardWeights, &backend::ConvolutionFlops::backwardWeights);
    tell("backward_data", algorithms.backwardData, &backend::ConvolutionFlops::backwardData);
}

} // namespace

PartKind kindOf(const std::string& layer) {
    if (layer == "images" || layer == "input") {
        return PartKind::Input;
    }
    if (layer.starts_with("conv2d")) {
        return PartKind::Convolution;
    }
    if (layer.starts_with("batch_normalization") || layer.starts_with("global_average_pooling2d")) {
        return PartKind::Normalization;
    }
    if (layer == "dense" || layer == "loss") {
        return PartKind::Head;
    }
    return layer == "variables" ? PartKind::Variables : PartKind::Other;
}

std::string fusionText(const std::string& operation) {
    if (operation == "forward_pooling") {
        return "normalization and pooling in one pass";
    }
    if (operation == "backward_relu") {
        return "normalization and ReLU in one pass";
    }
    return operation == "backward_pooling_relu" ? "pooling, normalization and ReLU in one pass" : std::string();
}

std::vector<ProfilePart> partFacts(const values::ExperimentConfig& config, std::int64_t classes,
                                   backend::Backend& device) {
    std::vector<ProfilePart> parts;
    for (const analysis::StepOperation& operation :
         analysis::fusedStepOperations(analysis::stepShapeOf(config, classes), config.optimizer)) {
        parts.push_back({.layer = operation.layer,
                         .operation = operation.operation,
                         .kind = kindOf(operation.layer),
                         .flops = operation.count.flops,
                         .directFlops = operation.count.flops,
                         .bytes = operation.count.bytes,
                         .algorithm = fusionText(operation.operation)});
    }
    const tensor::DType dtype = precision::traitsOf(config.policy).computeDType;
    for (const nn::ConvolutionLayer& layer : nn::ConvNet::convolutionsOf(train::networkOptions(config, classes))) {
        addConvolution(parts, layer, device, dtype);
    }
    return parts;
}

} // namespace halfstep::measure
