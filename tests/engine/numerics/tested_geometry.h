#pragma once
#include "engine/backend/cpu/convolution.h"
#include "tests/support/array.h"
#include <cstdint>
#include <string>

namespace halfstep::support {

/// A convolution with a square kernel.
struct Geometry {
    std::int64_t batch, height, width, channels, filters, kernel;
    int stride;
    backend::Padding padding = backend::Padding::Same;

    backend::cpu::ConvolutionGeometry engine() const {
        return {1, height, width, channels, kernel, kernel, filters, stride, padding};
    }
    Shape x() const { return {batch, height, width, channels}; }
    Shape w() const { return {kernel, kernel, channels, filters}; }
    Shape y() const { return {batch, outputs(height), outputs(width), filters}; }
    backend::ConvolutionOptions options() const { return {.stride = stride, .padding = padding}; }
    std::int64_t products() const { return y().count() * kernel * kernel * channels; }
    std::string text() const {
        return "x " + x().text() + ", w " + w().text() + ", stride " + std::to_string(stride) +
               (padding == backend::Padding::Valid ? ", valid" : "");
    }

private:
    std::int64_t outputs(std::int64_t size) const {
        return padding == backend::Padding::Same ? (size + stride - 1) / stride : (size - kernel) / stride + 1;
    }
};

} // namespace halfstep::support
