#include "tests/support/convolution_oracle.h"
#include <algorithm>

namespace halfstep::support {
namespace {

/// One dimension.
struct Extent {
    std::int64_t in, out = 0, stride, before = 0;

    Extent(std::int64_t size, std::int64_t kernel, std::int64_t step, Padding padding) : in(size), stride(step) {
        if (padding == Padding::Same) {
            out = (size + step - 1) / step;
            before = std::max<std::int64_t>((out - 1) * step + kernel - size, 0) / 2;
        } else { // every place of the kernel that lies inside
            while (out * step + kernel <= size) {
                ++out;
            }
        }
    }

    /// The input position under tap `k` of output `o`; outside [0, in) lies padding.
    std::int64_t at(std::int64_t o, std::int64_t k) const { return o * stride + k - before; }
};

/// Calls tap(x's pixel, y's pixel, w's tap) for every pair of pixels that a convolution joins; all are indices of
/// pixels, to be multiplied by the number of channels.
template <class Tap>
void forEveryTap(const Shape& x, const Shape& kernel, int stride, Padding padding, const Tap& tap) {
    const std::int64_t kernelHeight = kernel[0], kernelWidth = kernel[1];
    const Extent rows(x[1], kernelHeight, stride, padding);
    const Extent columns(x[2], kernelWidth, stride, padding);
    for (std::int64_t n = 0; n < x[0]; ++n) {
        for (std::int64_t p = 0; p < rows.out; ++p) {
            for (std::int64_t q = 0; q < columns.out; ++q) {
                for (std::int64_t r = 0; r < kernelHeight; ++r) {
                    for (std::int64_t s = 0; s < kernelWidth; ++s) {
                        const std::int64_t h = rows.at(p, r);
                        const std::int64_t w = columns.at(q, s);
                        if (h >= 0 && h < rows.in && w >= 0 && w < columns.in) {
                            tap((n * rows.in + h) * columns.in + w, (n * rows.out + p) * columns.out + q,
                                r * kernelWidth + s);
                        }
                    }
                }
            }
        }
    }
}

} // namespace

Array conv2dBias(const Array& x, const Array& w, const Array& b, int stride, Padding padding) {
    const std::int64_t channels = w.shape[2];
    const std::int64_t filters = w.shape[3];
    Array y = zeros({x.shape[0], Extent(x.shape[1], w.shape[0], stride, padding).out,
                     Extent(x.shape[2], w.shape[1], stride, padding).out, filters});
    for (std::int64_t i = 0; i < y.count(); ++i) {
        y[i] = b[i % filters];
    }
    forEveryTap(x.shape, w.shape, stride, padding, [&](std::int64_t in, std::int64_t out, std::int64_t tap) {
        double* to = &y[out * filters];
        for (std::int64_t c = 0; c < channels; ++c) {
            const double value = x[in * channels + c];
            const double* weights = &w.values[static_cast<std::size_t>((tap * channels + c) * filters)];
            for (std::int64_t k = 0; k < filters; ++k) {
                to[k] += value * weights[k];
            }
        }
    });
    return y;
}

Array conv2dBiasRelu(const Array& x, const Array& w, const Array& b, int stride, Padding padding) {
    Array y = conv2dBias(x, w, b, stride, padding);
    for (double& value : y.values) {
        value = std::max(value, 0.0);
    }
    return y;
}

Array conv2dBackwardWeights(const Array& x, const Array& dy, int stride, const Shape& wShape, Padding padding) {
    const std::int64_t channels = x.shape[3];
    const std::int64_t filters = dy.shape[3];
    Array dw = zeros(wShape);
    forEveryTap(x.shape, wShape, stride, padding, [&](std::int64_t in, std::int64_t out, std::int64_t tap) {
        const double* gradient = &dy.values[static_cast<std::size_t>(out * filters)];
        for (std::int64_t c = 0; c < channels; ++c) {
            const double value = x[in * channels + c];
            double* to = &dw[(tap * channels + c) * filters];
            for (std::int64_t k = 0; k < filters; ++k) {
                to[k] += value * gradient[k];
            }
        }
    });
    return dw;
}

Array conv2dBackwardWeights(const Array& x, const Array& dy, int stride, std::int64_t kernelSize) {
    return conv2dBackwardWeights(x, dy, stride, {kernelSize, kernelSize, x.shape[3], dy.shape[3]}, Padding::Same);
}

Array conv2dBackwardData(const Array& w, const Array& dy, int stride, const Shape& xShape, Padding padding) {
    const std::int64_t channels = w.shape[2];
    const std::int64_t filters = w.shape[3];
    Array dx = zeros(xShape);
    forEveryTap(xShape, w.shape, stride, padding, [&](std::int64_t in, std::int64_t out, std::int64_t tap) {
        const double* gradient = &dy.values[static_cast<std::size_t>(out * filters)];
        for (std::int64_t c = 0; c < channels; ++c) {
            const double* weights = &w.values[static_cast<std::size_t>((tap * channels + c) * filters)];
            double sum = 0;
            for (std::int64_t k = 0; k < filters; ++k) {
                sum += weights[k] * gradient[k];
            }
            dx[in * channels + c] += sum;
        }
    });
    return dx;
}

BiasReluGradients biasReluBackward(const Array& y, const Array& dy) {
    const std::int64_t filters = y.shape[3];
    BiasReluGradients result{dy, zeros({filters})};
    for (std::int64_t i = 0; i < y.count(); ++i) {
        if (!(y[i] > 0)) {
            result.dy[i] = 0;
        }
        result.db[i % filters] += result.dy[i];
    }
    return result;
}

} // namespace halfstep::support
