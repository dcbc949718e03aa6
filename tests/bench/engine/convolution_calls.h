#pragma once
#include "engine/analysis/operation_counts.h"
#include "engine/backend/backend.h"

namespace halfstep::bench {

/// The tensors of one convolution, forward and backward.
struct ConvolutionTensors {
    tensor::Tensor x, w, b, y, dx, dw; ///< dy has the shape of y and is y
    int stride = 2;
};

/// Runs one pass; the only place of the operation benchmarks that calls the back end's convolutions.
inline void runPass(backend::Backend& device, const ConvolutionTensors& t, analysis::ConvolutionPass pass) {
    switch (pass) {
    case analysis::ConvolutionPass::Forward:
        return device.conv2dBiasRelu(t.x, t.w, t.b, {t.stride}, t.y);
    case analysis::ConvolutionPass::BackwardWeights:
        return device.conv2dBackwardWeights(t.x, t.y, {t.stride}, t.dw);
    case analysis::ConvolutionPass::BackwardData:
        return device.conv2dBackwardData(t.w, t.y, {t.stride}, t.dx);
    }
}

} // namespace halfstep::bench
