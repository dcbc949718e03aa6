#include "engine/train/single_step.h"
#include "engine/backend/backend.h"
#include "engine/nn/convnet.h"
#include "engine/optim/optimizer.h"
#include "engine/tensor/error.h"
#include "engine/train/memory_plan.h"
#include "engine/train/training_step.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::train {
namespace {

/// The last layer's kernel [128, classes] tells how many classes there are.
std::int64_t classesOf(const SingleStepInput& input) {
    const auto kernel = std::ranges::find(input.weights, "dense/kernel", &NamedArray::name);
    if (kernel != input.weights.end() && kernel->shape.rank() == 2 && kernel->shape[1] > 0) {
        return kernel->shape[1];
    }
    throw DataError(fmt::format(
        "{} cannot be used: {}; {}.", input.weightsUse.subject,
        kernel == input.weights.end()
            ? "they lack \"dense/kernel\" [128, classes]"
            : fmt::format("\"dense/kernel\" has the shape {}, expected [128, classes]", kernel->shape.text()),
        input.weightsUse.advice));
}

/// Throws unless `array` holds as many values as its shape says.
void requireWhole(const NamedArray& array) {
    if (static_cast<std::int64_t>(array.values.size()) != array.shape.count()) {
        throw DataError(fmt::format("The array '{}' holds {} values, but its shape {} needs {}.", array.name,
                                    array.values.size(), array.shape.text(), array.shape.count()));
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
    const std::int64_t classes = classesOf(input);
    checkBatch(input, classes);
    const tensor::Shape& shape = input.images.shape;

    const nn::ConvNet::Options options{
        .policy = input.policy, .height = shape[1], .width = shape[2], .classes = classes, .batchCapacity = shape[0]};
    requireMemory({.network = options}, *device);
    nn::ConvNet network(device, options);
    upload(*device, input.weights, variablesOf(network), input.weightsUse);
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
    output.logits = download(*device, {"logits", network.logits()});
    for (const nn::Variable& variable : network.variables()) {
        if (variable.trainable) {
            output.gradients.push_back(download(*device, {"gradient/" + variable.name, variable.unscaledGradient}));
        }
        output.updated.push_back(download(*device, {"updated/" + variable.name, variable.value}));
    }
    return output;
}

} // namespace halfstep::train
