#pragma once
#include "engine/tensor/random.h"
#include "engine/tensor/tensor.h"
#include <vector>

namespace halfstep::nn {

/// Glorot and Bengio (2010), Keras' default: uniform in (-l, l), l = sqrt(6 / (fan_in + fan_out)), with
/// fan_in = R S C and fan_out = R S K for a kernel [R, S, C, K], fan_in = C and fan_out = K for [C, K].
std::vector<float> glorotUniform(const tensor::Shape& shape, tensor::Random& random);

} // namespace halfstep::nn
