#pragma once
#include "engine/backend/backend.h"
#include "tests/support/array.h"

/// The slow obvious convolutions, in double, with no rounding. Shapes and padding as in engine/backend/backend.h.
namespace halfstep::support {

using backend::Padding;

/// relu(conv(x, w) + b): x [N, H, W, C], w [R, S, C, K], b [K] to [N, P, Q, K].
Array conv2dBiasRelu(const Array& x, const Array& w, const Array& b, int stride, Padding padding = Padding::Same);
/// The same before ReLU.
Array conv2dBias(const Array& x, const Array& w, const Array& b, int stride, Padding padding = Padding::Same);
/// The gradient of w, of shape `wShape`; or of [kernelSize, kernelSize, C, K] with padding "same".
Array conv2dBackwardWeights(const Array& x, const Array& dy, int stride, const Shape& wShape, Padding padding);
Array conv2dBackwardWeights(const Array& x, const Array& dy, int stride, std::int64_t kernelSize);
/// The gradient of x, of shape `xShape`.
Array conv2dBackwardData(const Array& w, const Array& dy, int stride, const Shape& xShape,
                         Padding padding = Padding::Same);

struct BiasReluGradients {
    Array dy; ///< where y > 0, else 0
    Array db;
};
BiasReluGradients biasReluBackward(const Array& y, const Array& dy);

} // namespace halfstep::support
