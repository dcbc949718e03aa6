#pragma once
#include "engine/nn/layer_context.h"

namespace halfstep::nn {

/// Fully connected layer without activation.
///
///   x  [N, C]    compute dtype
///   w  [C, K]    variable dtype, rounded to the compute dtype before use
///   y  [N, K]    compute dtype
class Dense {
public:
    Dense(const LayerContext& context, const std::string& name, std::int64_t inputs, std::int64_t units);

    const tensor::Tensor& forward(const tensor::Tensor& x);
    void backward(const tensor::Tensor& dy, const tensor::Tensor& dx);

private:
    backend::Backend& m_device;
    Variable& m_kernel;
    Variable& m_bias;
    tensor::Tensor m_output;
    tensor::Tensor m_x, m_y;
};

} // namespace halfstep::nn
