#pragma once
#include "engine/tensor/dtype.h"
#include <array>
#include <optional>
#include <string_view>

namespace halfstep::precision {

/// A precision policy in Keras' sense: the dtype that tensors between operations are stored in (compute dtype), and
/// the dtype of the variables.
enum class Policy { Float32, MixedFloat16, MixedBFloat16, Float16, BFloat16 };

inline constexpr std::array kPolicies{Policy::Float32, Policy::MixedFloat16, Policy::MixedBFloat16, Policy::Float16,
                                      Policy::BFloat16};

/// What a policy means, as data; it drives the engine, the command line and the window. Where each tensor is rounded
/// follows from it by roundings.h.
struct PolicyTraits {
    std::string_view name;       ///< serialized name, as Keras calls it
    tensor::DType computeDType;  ///< activations, their gradients, copies of the weights
    tensor::DType variableDType; ///< weights, optimizer state
    bool dynamicLossScaling;     ///< Keras applies it by itself under mixed_float16
    std::string_view summary;    ///< one line for the form: "16-bit storage, float32 weights"
};

const PolicyTraits& traitsOf(Policy policy);
/// Nothing if no policy has this name.
std::optional<Policy> policyNamed(std::string_view name);

/// True if the variables themselves are 16-bit: such a policy shows what goes wrong.
constexpr bool hasNarrowVariables(const PolicyTraits& traits) {
    return traits.variableDType != tensor::DType::Float32;
}

} // namespace halfstep::precision
