#pragma once
#include "tests/support/array.h"

namespace halfstep::support {

struct AdamState {
    Array m, v, w;
};
struct AdamSettings {
    double learningRate = 0.001;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-7;
};
/// Keras' Adam, in double; `iteration` counts from 1.
void adam(const Array& gradient, const AdamSettings& settings, std::int64_t iteration, AdamState& state);

/// moving momentum + batch (1 - momentum)
Array movingAverage(const Array& moving, const Array& batch, double momentum);

} // namespace halfstep::support
