#pragma once
#include "engine/precision/policy.h"
#include <array>
#include <string_view>

namespace halfstep::precision {

/// Every kind of tensor that one training step makes, in the order in which the step makes them.
enum class StepTensor {
    Variable,
    WeightCopy,
    NormalizationCopy,
    Images,
    ConvolutionOutput,
    BatchStatistics,
    NormalizationOutput,
    PooledOutput,
    Logits,
    Loss,
    LossGradient,
    ActivationGradient,
    VariableGradient,
    UnscaledGradient,
    OptimizerState,
    MovingAverage,
};

inline constexpr std::array kStepTensors{StepTensor::Variable,
                                         StepTensor::WeightCopy,
                                         StepTensor::NormalizationCopy,
                                         StepTensor::Images,
                                         StepTensor::ConvolutionOutput,
                                         StepTensor::BatchStatistics,
                                         StepTensor::NormalizationOutput,
                                         StepTensor::PooledOutput,
                                         StepTensor::Logits,
                                         StepTensor::Loss,
                                         StepTensor::LossGradient,
                                         StepTensor::ActivationGradient,
                                         StepTensor::VariableGradient,
                                         StepTensor::UnscaledGradient,
                                         StepTensor::OptimizerState,
                                         StepTensor::MovingAverage};

/// One line of the table of roundings.
struct Rounding {
    std::string_view name;  ///< "convolution output"
    tensor::DType stored;   ///< what the tensor's memory holds
    tensor::DType computed; ///< what the sums and products before the store are made in
    bool rounded;           ///< whether the store rounds; a copy in the variable's own dtype does not
    std::string_view where; ///< "once, after sum + bias + ReLU"
};

/// The table: what a policy stores `tensor` in and where it is rounded. The engine allocates by it, so what is
/// printed is what is done.
Rounding roundingOf(const PolicyTraits& policy, StepTensor tensor);

} // namespace halfstep::precision
