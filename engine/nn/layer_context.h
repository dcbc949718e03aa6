#pragma once
#include "engine/backend/backend.h"
#include "engine/nn/variable.h"
#include "engine/precision/policy.h"
#include <deque>
#include <string>

namespace halfstep::nn {

/// What a layer needs while it is built: the device, the dtypes, and the list that its variables go into.
struct LayerContext {
    backend::Backend& device;
    precision::PolicyTraits traits;
    std::int64_t batchCapacity = 1;  ///< the largest batch that buffers must hold
    std::deque<Variable>& variables; ///< a deque: layers keep pointers to their own

    tensor::Tensor activation(const tensor::Shape& shape) const {
        return device.allocate(traits.computeDType, shape);
    }

    /// A trainable variable, zeroed. With `autocast` the layer computes with a copy in the compute dtype, as Keras'
    /// AutoCastVariable does; batch normalization computes with float32 variables.
    Variable& addTrainable(std::string name, const tensor::Shape& shape, bool autocast) const;
    /// A variable that training moves but gradients do not, zeroed.
    Variable& addMoving(std::string name, const tensor::Shape& shape) const;
};

} // namespace halfstep::nn
