#include "engine/train/single_step.h"
#include "engine/backend/backend.h"
#include "engine/nn/convnet.h"
#include "engine/optim/optimizer.h"
#include "engine/tensor/error.h"
#include "engine/train/training_step.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::train {
namespace {

NamedArray downloaded(backend::Backend& device, std::string name, const tensor::Tensor& tensor) {
    NamedArray array{std::move(name), tensor.shape, std::vector<float>(static_cast<std::size_t>(tensor.count()))};
    device.download(tensor, array.values);
    return array;
}

const NamedArray& weightNamed(const std::vector<NamedArray>& weights, const std::string& name) {
    const auto found =
        std::find_if(weights.begin(), weights.end(), [&](const NamedArray& w) { return w.name == name; });
    if (found == weights.end()) {
        throw DataError(fmt::format("The weights lack the array '{}'.", name));
    }
    return *found;
}

/// Throws unless `array` holds as many values as its shape says.
void requireWhole(const NamedArray& array) {
    if (static_cast<std::int64_t>(array.values.size()) != array.shape.count()) {
        throw DataError(fmt::format("The array '{}' holds {} values, but its shape {} needs {}.", array.name,
                                    array.values.size(), array.shape.text(), array.shape.count()));
    }
}

void loadWeights(backend::Backend& device, nn::ConvNet& network, const std::vector<NamedArray>& weights) {
    for (const NamedArray& weight : weights) {
        const auto& variables = network.variables();
        if (std::none_of(variables.begin(), variables.end(), [&](const auto& v) { return v.name == weight.name; })) {
            throw DataError(
                fmt::format("The weights hold an array '{}' that the network does not have.", weight.name));
        }
    }
    for (nn::Variable& variable : network.variables()) {
        const NamedArray& weight = weightNamed(weights, variable.name);
        if (weight.shape != variable.value.shape) {
            throw DataError(fmt::format("The weight '{}' has the shape {}, expected {}.", variable.name,
                                        weight.shape.text(), variable.value.shape.text()));
        }
        requireWhole(weight);
        device.upload(weight.values, variable.value);
    }
}

void checkBatch(const SingleStepInput& input, std::int64_t classes) {
    const tensor::Shape& shape = input.images.shape;
    if (shape.rank() != 4 || shape[3] != 3 || shape.count() == 0) {
        throw DataError(fmt::format("The images have the shape {}, expected [N, H, W, 3].", shape.text()));
    }
    requireWhole(input.images);
    if (static_cast<std::int64_t>(input.labels.size()) != shape[0]) {
        throw DataError(fmt::format("There are {} labels for {} images.", input.labels.size(), shape[0]));
    }
    for (const std::int64_t label : input.labels) {
        if (label < 0 || label >= classes) {
            throw DataError(fmt::format("The label {} is outside 0 to {}.", label, classes - 1));
        }
    }
}

} // namespace

SingleStepOutput singleStep(const std::shared_ptr<backend::Backend>& device, const SingleStepInput& input) {
    const NamedArray& kernel = weightNamed(input.weights, "dense/kernel");
    if (kernel.shape.rank() != 2) {
        throw DataError(
            fmt::format("The weight 'dense/kernel' has the shape {}, expected [128, classes].", kernel.shape.text()));
    }
    const std::int64_t classes = kernel.shape[1];
    checkBatch(input, classes);
    const tensor::Shape& shape = input.images.shape;

    nn::ConvNet network(device, {.policy = input.policy,
                                 .height = shape[1],
                                 .width = shape[2],
                                 .classes = classes,
                                 .batchCapacity = shape[0]});
    loadWeights(*device, network, input.weights);
    device->upload(input.images.values, network.input(shape[0]));

    const auto optimizer = optim::makeAdam(device, network.variables(), {.learningRate = input.learningRate});
    precision::LossScalerOptions scaling;
    scaling.initialScale = input.lossScale.value_or(scaling.initialScale);
    precision::LossScaler scaler(scaling);
    const bool scaled = network.traits().dynamicLossScaling || input.lossScale.has_value();
    TrainingStep step(*device, network, *optimizer, scaled ? &scaler : nullptr);
    const StepOutcome outcome = step.run(input.labels);

    SingleStepOutput output;
    output.loss = outcome.loss;
    output.gradientsFinite = outcome.gradientsFinite;
    output.logits = downloaded(*device, "logits", network.logits());
    for (const nn::Variable& variable : network.variables()) {
        if (variable.trainable) {
            output.gradients.push_back(downloaded(*device, "gradient/" + variable.name, variable.unscaledGradient));
        }
        output.updated.push_back(downloaded(*device, "updated/" + variable.name, variable.value));
    }
    return output;
}

} // namespace halfstep::train
