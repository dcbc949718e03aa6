#include "tests/support/layer_oracle.h"
#include <algorithm>
#include <cmath>

namespace halfstep::support {

Moments batchMoments(const Array& x) {
    const std::int64_t channels = x.shape[3];
    const double samples = static_cast<double>(x.count() / channels);
    Moments result{zeros({channels}), zeros({channels})};
    for (std::int64_t i = 0; i < x.count(); ++i) {
        result.mean[i % channels] += x[i];
    }
    result.mean = scaled(result.mean, 1.0 / samples);
    for (std::int64_t i = 0; i < x.count(); ++i) {
        const double offset = x[i] - result.mean[i % channels];
        result.variance[i % channels] += offset * offset;
    }
    result.variance = scaled(result.variance, 1.0 / samples);
    return result;
}

Array batchNorm(const Array& x, const Array& gamma, const Array& beta, double epsilon, const Moments& moments) {
    const std::int64_t channels = x.shape[3];
    Array y = zeros(x.shape);
    for (std::int64_t i = 0; i < x.count(); ++i) {
        const std::int64_t c = i % channels;
        y[i] = gamma[c] * (x[i] - moments.mean[c]) / std::sqrt(moments.variance[c] + epsilon) + beta[c];
    }
    return y;
}

BatchNormGradients batchNormBackward(const Array& x, const Array& dy, const Array& gamma, double epsilon,
                                     const Moments& moments) {
    const std::int64_t channels = x.shape[3];
    const double samples = static_cast<double>(x.count() / channels);
    const auto normalized = [&](std::int64_t i) {
        const std::int64_t c = i % channels;
        return (x[i] - moments.mean[c]) / std::sqrt(moments.variance[c] + epsilon);
    };
    BatchNormGradients result{zeros(x.shape), zeros({channels}), zeros({channels})};
    for (std::int64_t i = 0; i < x.count(); ++i) {
        result.dgamma[i % channels] += dy[i] * normalized(i);
        result.dbeta[i % channels] += dy[i];
    }
    for (std::int64_t i = 0; i < x.count(); ++i) {
        const std::int64_t c = i % channels;
        const double centred = dy[i] - result.dbeta[c] / samples - normalized(i) * result.dgamma[c] / samples;
        result.dx[i] = gamma[c] / std::sqrt(moments.variance[c] + epsilon) * centred;
    }
    return result;
}

Array globalAveragePool(const Array& x) {
    const std::int64_t channels = x.shape[3];
    const std::int64_t pixels = x.shape[1] * x.shape[2];
    Array y = zeros({x.shape[0], channels});
    for (std::int64_t i = 0; i < x.count(); ++i) {
        y[i / (pixels * channels) * channels + i % channels] += x[i];
    }
    return scaled(y, 1.0 / static_cast<double>(pixels));
}

Array globalAveragePoolBackward(const Array& dy, const Shape& xShape) {
    const std::int64_t channels = xShape[3];
    const std::int64_t pixels = xShape[1] * xShape[2];
    Array dx = zeros(xShape);
    for (std::int64_t i = 0; i < dx.count(); ++i) {
        dx[i] = dy[i / (pixels * channels) * channels + i % channels] / static_cast<double>(pixels);
    }
    return dx;
}

Array dense(const Array& x, const Array& w, const Array& b) {
    const std::int64_t channels = w.shape[0];
    const std::int64_t units = w.shape[1];
    Array y = zeros({x.shape[0], units});
    for (std::int64_t i = 0; i < y.count(); ++i) {
        y[i] = b[i % units];
        for (std::int64_t c = 0; c < channels; ++c) {
            y[i] += x[i / units * channels + c] * w[c * units + i % units];
        }
    }
    return y;
}

DenseGradients denseBackward(const Array& x, const Array& w, const Array& dy) {
    const std::int64_t channels = w.shape[0];
    const std::int64_t units = w.shape[1];
    DenseGradients result{zeros(x.shape), zeros(w.shape), zeros({units})};
    for (std::int64_t n = 0; n < x.shape[0]; ++n) {
        for (std::int64_t k = 0; k < units; ++k) {
            const double gradient = dy[n * units + k];
            result.db[k] += gradient;
            for (std::int64_t c = 0; c < channels; ++c) {
                result.dx[n * channels + c] += gradient * w[c * units + k];
                result.dw[c * units + k] += gradient * x[n * channels + c];
            }
        }
    }
    return result;
}

LossHead softmaxCrossEntropy(const Array& logits, std::span<const std::int64_t> labels, double lossScale) {
    const std::int64_t classes = logits.shape[1];
    const std::int64_t samples = logits.shape[0];
    LossHead result{0, 0, zeros(logits.shape), zeros(logits.shape)};
    for (std::int64_t n = 0; n < samples; ++n) {
        const std::span<const double> row(&logits.values[static_cast<std::size_t>(n * classes)],
                                          static_cast<std::size_t>(classes));
        const auto largest = std::max_element(row.begin(), row.end()); // the first of equals
        double sum = 0;
        for (const double logit : row) {
            sum += std::exp(logit - *largest);
        }
        const auto label = labels[static_cast<std::size_t>(n)];
        result.lossSum += std::log(sum) - (row[static_cast<std::size_t>(label)] - *largest);
        result.correct += largest - row.begin() == label ? 1 : 0;
        for (std::int64_t k = 0; k < classes; ++k) {
            const double probability = std::exp(row[static_cast<std::size_t>(k)] - *largest) / sum;
            result.probabilities[n * classes + k] = probability;
            result.dlogits[n * classes + k] =
                (probability - (k == label ? 1.0 : 0.0)) / static_cast<double>(samples) * lossScale;
        }
    }
    return result;
}

} // namespace halfstep::support
