#pragma once
#include "engine/tensor/tensor.h"
#include <string>

namespace halfstep::nn {

/// A weight of the network under Keras' name, with what a step makes of it.
struct Variable {
    std::string name;       ///< "conv2d/kernel"
    bool trainable = true;  ///< false: a moving average
    tensor::Tensor value;   ///< float32
    tensor::Tensor compute; ///< value rounded to the compute dtype; `value` itself where that is float32 or where the
                            ///< layer computes with float32 variables (batch normalization)
    tensor::Tensor gradient;         ///< compute dtype, times the loss scale; nothing if not trainable
    tensor::Tensor unscaledGradient; ///< float32; `gradient` itself under a float32 policy
};

} // namespace halfstep::nn
