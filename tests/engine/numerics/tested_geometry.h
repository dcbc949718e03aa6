#pragma once
#include "engine/backend/cpu/convolution.h"
#include "tests/support/array.h"
#include <cstdint>
#include <string>

namespace halfstep::support {

/// A convolution with a square kernel and padding "same".
struct Geometry {
    std::int64_t batch, height, width, channels, filters, kernel;
    int stride;

    backend::cpu::ConvolutionGeometry engine() const {
        return {1, height, width, channels, kernel, kernel, filters, stride};
    }
    Shape x() const { return {batch, height, width, channels}; }
    Shape w() const { return {kernel, kernel, channels, filters}; }
    Shape y() const { return {batch, (height + stride - 1) / stride, (width + stride - 1) / stride, filters}; }
    std::string text() const {
        return "x " + x().text() + ", w " + w().text() + ", stride " + std::to_string(stride);
    }
};

} // namespace halfstep::support
