#pragma once
#include "engine/precision/policy.h"
#include "engine/train/named_arrays.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

struct SingleStepInput {
    std::vector<NamedArray> weights; ///< all variables, moving averages included, in any order
    ArrayUse weightsUse{"The weights", "choose weights of this network"}; ///< how sentences speak of them
    NamedArray images;                                                    ///< [N, H, W, 3], 0 to 1
    std::vector<std::int64_t> labels;                                     ///< [N], 0 to 9
    precision::Policy policy = precision::Policy::Float32;
    std::optional<double> lossScale; ///< the policy's initial one if empty
    double learningRate = 0.001;
};

struct SingleStepOutput {
    double loss = 0;
    NamedArray logits;                 ///< [N, 10]
    std::vector<NamedArray> gradients; ///< "gradient/<name>" of every trainable variable, unscaled
    std::vector<NamedArray> updated;   ///< "updated/<name>" of every variable after Adam's first step
    bool gradientsFinite = true;       ///< false: nothing was updated
};

/// One training step on given weights and a given batch, so that anyone can compare with Keras or PyTorch.
/// Throws DataError naming the array if one is missing, unknown, not finite, or has the wrong shape.
SingleStepOutput singleStep(const std::shared_ptr<backend::Backend>& device, const SingleStepInput& input);

} // namespace halfstep::train
