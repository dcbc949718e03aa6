#include "engine/nn/layer_context.h"

namespace halfstep::nn {
using tensor::DType;

Variable& LayerContext::addTrainable(std::string name, const tensor::Shape& shape, bool autocast) const {
    Variable& variable = variables.emplace_back();
    variable.name = std::move(name);
    variable.value = device.allocate(DType::Float32, shape);
    variable.compute = autocast && traits.computeDType != DType::Float32 ? device.allocate(traits.computeDType, shape)
                                                                         : variable.value;
    variable.gradient = device.allocate(traits.computeDType, shape);
    variable.unscaledGradient =
        traits.computeDType == DType::Float32 ? variable.gradient : device.allocate(DType::Float32, shape);
    return variable;
}

Variable& LayerContext::addMoving(std::string name, const tensor::Shape& shape) const {
    Variable& variable = variables.emplace_back();
    variable.name = std::move(name);
    variable.trainable = false;
    variable.value = device.allocate(DType::Float32, shape);
    variable.compute = variable.value;
    return variable;
}

} // namespace halfstep::nn
