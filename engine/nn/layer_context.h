#pragma once
#include "engine/backend/backend.h"
#include "engine/nn/variable.h"
#include "engine/precision/roundings.h"
#include <deque>
#include <map>
#include <string>

namespace halfstep::nn {

/// Bytes of a network's tensors by kind.
using MemoryTally = std::map<precision::StepTensor, std::uint64_t>;

/// What a layer needs while it is built: the device, the dtypes, and the list that its variables go into.
struct LayerContext {
    backend::Backend& device;
    precision::PolicyTraits traits;
    std::int64_t batchCapacity = 1;  ///< the largest batch that buffers must hold
    std::deque<Variable>& variables; ///< a deque: layers keep pointers to their own
    MemoryTally* tally = nullptr;    ///< is told what is allocated, unless it is null

    /// Memory for a tensor of the step, stored as the table of roundings says.
    tensor::Tensor allocate(precision::StepTensor kind, const tensor::Shape& shape) const;

    /// A trainable variable, zeroed. The layer computes with a copy in the dtype of `copy`, as Keras'
    /// AutoCastVariable does: WeightCopy, or NormalizationCopy for batch normalization, which computes in float32.
    Variable& addTrainable(std::string name, const tensor::Shape& shape, precision::StepTensor copy) const;
    /// A variable that training moves but gradients do not, zeroed; used in float32.
    Variable& addMoving(std::string name, const tensor::Shape& shape) const;
};

} // namespace halfstep::nn
