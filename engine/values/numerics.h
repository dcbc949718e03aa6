#pragma once
#include "engine/tensor/dtype.h"
#include "engine/tensor/exponent_histogram.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::values {

/// When in a step a tensor is made.
enum class Pass { Forward, Backward };
/// What it is.
enum class TensorRole { Weight, Activation, Gradient };

/// "forward", "backward"
std::string_view nameOf(Pass pass);
std::optional<Pass> passNamed(std::string_view name);
/// "weight", "activation", "gradient"
std::string_view nameOf(TensorRole role);
std::optional<TensorRole> tensorRoleNamed(std::string_view name);

/// What a step's tensor held. Gradients are as stored: times the loss scale.
struct TensorNumerics {
    std::string layer{};  ///< "conv2d_1", "batch_normalization", "global_average_pooling2d", "dense", "loss", "input"
    std::string tensor{}; ///< "kernel", "bias", "output", "output gradient", "kernel gradient", ...
    Pass pass = Pass::Forward;
    TensorRole role = TensorRole::Activation;
    tensor::DType dtype = tensor::DType::Float32; ///< stored
    std::int64_t elements = 0;
    tensor::ExponentHistogram histogram{};
    bool operator==(const TensorNumerics&) const = default;
};

/// All tensors of one step, in the order in which the step made them.
struct NumericsRecord {
    std::int64_t step = 0;
    double lossScale = 1; ///< that the gradients carry
    std::vector<TensorNumerics> tensors{};
    bool operator==(const NumericsRecord&) const = default;
};

} // namespace halfstep::values
