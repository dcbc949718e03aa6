#pragma once
#include "engine/values/numerics.h"
#include <initializer_list>
#include <string>
#include <utility>

namespace halfstep::tests {

/// Counts by exponent.
using Counts = std::initializer_list<std::pair<int, std::int64_t>>;

inline values::TensorNumerics fakeTensor(const std::string& layer, const std::string& name, values::TensorRole role,
                                         const Counts& counts, std::int64_t zeros = 0) {
    values::TensorNumerics tensor{
        .layer = layer,
        .tensor = name,
        .pass = role == values::TensorRole::Gradient ? values::Pass::Backward : values::Pass::Forward,
        .role = role,
        .dtype = role == values::TensorRole::Weight ? tensor::DType::Float32 : tensor::DType::Float16,
        .elements = zeros};
    tensor.histogram.zeros = zeros;
    for (const auto& [exponent, count] : counts) {
        tensor.histogram.at(exponent) = count;
        tensor.elements += count;
    }
    return tensor;
}

/// A step of a small network: of the kernel's gradient, a tenth is 0; at a loss scale of 2^15 nothing else becomes 0
/// in float16, without it 40 of 100 elements would.
inline values::NumericsRecord fakeNumerics(std::int64_t step, double lossScale = 32768) {
    using values::TensorRole;
    return {.step = step,
            .lossScale = lossScale,
            .tensors = {
                fakeTensor("conv2d", "kernel", TensorRole::Weight, {{-4, 70}, {-20, 30}}),
                fakeTensor("conv2d", "output", TensorRole::Activation, {{0, 50}}, 50),
                fakeTensor("loss", "logits gradient", TensorRole::Gradient, {{-2, 100}}),
                fakeTensor("conv2d", "kernel gradient", TensorRole::Gradient, {{-12, 40}, {0, 30}, {5, 20}}, 10)}};
}

} // namespace halfstep::tests
