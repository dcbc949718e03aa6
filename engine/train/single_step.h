#pragma once
#include "engine/precision/policy.h"
#include "engine/tensor/tensor.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

/// A float32 array with its name: a weight under Keras' name ("conv2d/kernel" [5, 5, 3, 32]), a gradient, a batch.
struct NamedArray {
    std::string name;
    tensor::Shape shape;
    std::vector<float> values;
};

struct SingleStepInput {
    std::vector<NamedArray> weights;  ///< all variables, moving averages included, in any order
    NamedArray images;                ///< [N, H, W, 3], 0 to 1
    std::vector<std::int64_t> labels; ///< [N], 0 to 9
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
/// Throws DataError naming the array if one is missing, unknown, or has the wrong shape.
SingleStepOutput singleStep(const std::shared_ptr<backend::Backend>& device, const SingleStepInput& input);

} // namespace halfstep::train
