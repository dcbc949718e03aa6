#pragma once
#include "engine/tensor/tensor.h"
#include "engine/values/numerics.h"
#include <string_view>

namespace halfstep::nn {

/// A tensor of the step that is being made, named as in values::TensorNumerics.
struct ObservedTensor {
    std::string_view layer;
    std::string_view name;
    values::Pass pass;
    values::TensorRole role;
    const tensor::Tensor& tensor;
};

/// Is shown every tensor of a step as soon as it is made, before a later operation overwrites it.
class StepObserver {
public:
    virtual ~StepObserver() = default;
    virtual void saw(const ObservedTensor& observed) = 0;
};

} // namespace halfstep::nn
