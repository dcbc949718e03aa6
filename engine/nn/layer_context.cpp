#include "engine/nn/layer_context.h"

namespace halfstep::nn {
using precision::StepTensor;
using tensor::Tensor;

namespace {

/// `existing` where it has the dtype that `kind` is stored in, else memory for a copy.
Tensor sharedOrNew(const LayerContext& context, const Tensor& existing, StepTensor kind) {
    const tensor::DType dtype = precision::roundingOf(context.traits, kind).stored;
    return dtype == existing.dtype ? existing : context.allocate(kind, existing.shape);
}

} // namespace

Tensor LayerContext::allocate(StepTensor kind, const tensor::Shape& shape) const {
    const std::uint64_t before = device.heldBytes();
    Tensor tensor = device.allocate(precision::roundingOf(traits, kind).stored, shape);
    if (tally != nullptr) {
        (*tally)[kind] += device.heldBytes() - before;
    }
    return tensor;
}

Variable& LayerContext::addTrainable(std::string name, const tensor::Shape& shape, StepTensor copy) const {
    Variable& variable = variables.emplace_back();
    variable.name = std::move(name);
    variable.value = allocate(StepTensor::Variable, shape);
    variable.compute = sharedOrNew(*this, variable.value, copy);
    variable.gradient = allocate(StepTensor::VariableGradient, shape);
    variable.unscaledGradient = sharedOrNew(*this, variable.gradient, StepTensor::UnscaledGradient);
    return variable;
}

Variable& LayerContext::addMoving(std::string name, const tensor::Shape& shape) const {
    Variable& variable = variables.emplace_back();
    variable.name = std::move(name);
    variable.trainable = false;
    variable.value = allocate(StepTensor::MovingAverage, shape);
    variable.compute = sharedOrNew(*this, variable.value, StepTensor::NormalizationCopy);
    return variable;
}

} // namespace halfstep::nn
