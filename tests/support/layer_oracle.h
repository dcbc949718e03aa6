#pragma once
#include "tests/support/array.h"
#include <cstdint>
#include <span>

/// Batch normalization, pooling, dense and the loss head: slow, obvious, in double, with no rounding. Shapes as in
/// engine/backend/backend.h.
namespace halfstep::support {

struct Moments {
    Array mean;     ///< [C]
    Array variance; ///< [C], biased
};
/// Over N, H, W of x [N, H, W, C].
Moments batchMoments(const Array& x);
Array batchNorm(const Array& x, const Array& gamma, const Array& beta, double epsilon, const Moments& moments);

struct BatchNormGradients {
    Array dx, dgamma, dbeta;
};
BatchNormGradients batchNormBackward(const Array& x, const Array& dy, const Array& gamma, double epsilon,
                                     const Moments& moments);

Array globalAveragePool(const Array& x);
Array globalAveragePoolBackward(const Array& dy, const Shape& xShape);

Array dense(const Array& x, const Array& w, const Array& b);
struct DenseGradients {
    Array dx, dw, db;
};
DenseGradients denseBackward(const Array& x, const Array& w, const Array& dy);

struct LossHead {
    double lossSum = 0;
    std::int64_t correct = 0;
    Array dlogits; ///< (softmax - onehot) / N * lossScale
    Array probabilities;
};
LossHead softmaxCrossEntropy(const Array& logits, std::span<const std::int64_t> labels, double lossScale);

} // namespace halfstep::support
