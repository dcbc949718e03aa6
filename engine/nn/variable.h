#pragma once
#include "engine/tensor/tensor.h"
#include <string>

namespace halfstep::nn {

/// A weight of the network under Keras' name, with what a step makes of it.
struct Variable {
    std::string name;      ///< "conv2d/kernel"
    bool trainable = true; ///< false: a moving average
    tensor::Tensor value;  ///< variable dtype
    tensor::Tensor
        compute; ///< value in the dtype that the layer computes with; `value` itself where that is the same
    tensor::Tensor gradient;         ///< compute dtype, times the loss scale; nothing if not trainable
    tensor::Tensor unscaledGradient; ///< variable dtype; `gradient` itself where that is the compute dtype
};

} // namespace halfstep::nn
