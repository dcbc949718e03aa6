#pragma once
#include "engine/analysis/operation_counts.h"
#include "engine/values/experiment_config.h"

namespace halfstep::analysis {

/// The operations of stepOperations as a training step really makes them, in its order and under the names that it
/// tells nn::StepClock. Batch normalization and what follows it are one pass each, so their tensors pass once:
///
///   forward_pooling        the last normalization, then the mean over H and W: reads x, writes the means
///   backward_relu          through normalization, ReLU and bias: reads x and dy, writes dx
///   backward_pooling_relu  the same from the gradient of the means: reads x, writes dx
///   optimizer              Adam, or plain gradient descent, which reads a gradient and moves a weight
std::vector<StepOperation> fusedStepOperations(const StepShape& step,
                                               values::OptimizerKind optimizer = values::OptimizerKind::Adam);

/// The step that a configuration asks for.
StepShape stepShapeOf(const values::ExperimentConfig& config, std::int64_t classes);

} // namespace halfstep::analysis
