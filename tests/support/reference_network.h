#pragma once
#include "tests/support/convnet_case.h"
#include <array>
#include <optional>

namespace halfstep::support {

struct ReferenceOptions {
    /// Where given, every result that a policy stores in its compute dtype is rounded to it; nothing is rounded
    /// without.
    std::optional<DType> computeDType = std::nullopt;
    /// Where given, so are variables, unscaled gradients, moving averages and Adam's epsilon (pure policies).
    std::optional<DType> variableDType = std::nullopt;
    double lossScale = 1;
    double learningRate = 0.001;
};

struct ReferenceStep {
    double loss = 0; ///< mean over the batch
    Array logits;
    Arrays gradients; ///< of the trainable variables, divided by the loss scale
    Arrays updated;   ///< all variables after Adam's first step; as they were if a gradient is not finite
    bool gradientsFinite = true;
    std::array<double, 3> nearestToKink{}; ///< smallest |pre-activation| of each ReLU
};

/// One training step of the article's convnet with all sums in double.
///
/// Roundings of a 16-bit policy: images, kernels and biases before use; then once for each operation's output, also
/// backward. Batch-norm statistics, gamma, beta, softmax and loss stay exact.
ReferenceStep referenceStep(const ConvnetCase& input, const ReferenceOptions& options = {});

/// No rounding for float32, else those of the policy's dtypes.
ReferenceOptions referenceOptionsOf(precision::Policy policy, double lossScale = 1);

/// The loss alone, for finite differences.
double referenceLoss(const ConvnetCase& input, const ReferenceOptions& options = {});

} // namespace halfstep::support
