#pragma once
#include "engine/backend/cpu/convolution.h"
#include "tests/support/array.h"
#include <cstdint>
#include <string>

namespace halfstep::support {

/// A convolution; the kernel is square unless it is given columns of its own.
struct Geometry {
    std::int64_t batch, height, width, channels, filters, kernel;
    int stride;
    backend::Padding padding = backend::Padding::Same;
    std::int64_t kernelColumns = 0;

    std::int64_t kernelWidth() const { return kernelColumns == 0 ? kernel : kernelColumns; }
    std::int64_t taps() const { return kernel * kernelWidth(); }
    backend::cpu::ConvolutionGeometry engine() const {
        return {1, height, width, channels, kernel, kernelWidth(), filters, stride, padding};
    }
    Shape x() const { return {batch, height, width, channels}; }
    Shape w() const { return {kernel, kernelWidth(), channels, filters}; }
    Shape y() const { return {batch, outputs(height, kernel), outputs(width, kernelWidth()), filters}; }
    backend::ConvolutionOptions options() const { return {.stride = stride, .padding = padding}; }
    std::int64_t products() const { return y().count() * taps() * channels; }
    std::string text() const {
        return "x " + x().text() + ", w " + w().text() + ", stride " + std::to_string(stride) +
               (padding == backend::Padding::Valid ? ", valid" : "");
    }

private:
    std::int64_t outputs(std::int64_t size, std::int64_t kernelSize) const {
        return padding == backend::Padding::Same ? (size + stride - 1) / stride : (size - kernelSize) / stride + 1;
    }
};

} // namespace halfstep::support
