#pragma once
#include "engine/backend/cpu/softmax_row.h"
#include <vector>

namespace halfstep::backend::cpu {

/// The small tensors of the network's end in float32. It lives with the back end, so that no step after the first
/// allocates.
struct HeadScratch {
    struct {
        std::vector<float> input, weights, bias, output;
    } forward;
    struct {
        std::vector<float> input, weights, gradient, inputGradient, weightGradient, biasGradient;
    } backward;
    struct {
        std::vector<float> logits, gradient;
        SoftmaxRow softmax;
    } loss;
};

} // namespace halfstep::backend::cpu
