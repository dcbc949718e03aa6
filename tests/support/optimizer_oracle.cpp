#include "tests/support/optimizer_oracle.h"
#include <cmath>

namespace halfstep::support {

void adam(const Array& gradient, const AdamSettings& settings, std::int64_t iteration, AdamState& state) {
    const double t = static_cast<double>(iteration);
    const double alpha =
        settings.learningRate * std::sqrt(1.0 - std::pow(settings.beta2, t)) / (1.0 - std::pow(settings.beta1, t));
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
        const double g = gradient[i];
        state.m[i] += (g - state.m[i]) * (1.0 - settings.beta1);
        state.v[i] += (g * g - state.v[i]) * (1.0 - settings.beta2);
        state.w[i] -= alpha * state.m[i] / (std::sqrt(state.v[i]) + settings.epsilon);
    }
}

Array movingAverage(const Array& moving, const Array& batch, double momentum) {
    Array result = moving;
    for (std::int64_t i = 0; i < result.count(); ++i) {
        result[i] = moving[i] * momentum + batch[i] * (1.0 - momentum);
    }
    return result;
}

} // namespace halfstep::support
