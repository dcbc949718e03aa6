#pragma once
#include "engine/analysis/operation_counts.h"
#include <optional>
#include <string>

namespace halfstep::bench {

/// Operations of one pass by the algorithm that the CPU back end takes for `convolution` ("auto", "fft", "direct"):
/// direct summation, or the Fourier transforms' own. There every arithmetic instruction counts as the multiply-add
/// whose place it takes, which is two operations.
double algorithmFlops(const analysis::ConvolutionShape& shape, analysis::ConvolutionPass pass,
                      const std::string& convolution);

/// The steps' operations with the counts of those algorithms; the bytes stay the least.
std::vector<analysis::StepOperation> withAlgorithms(const analysis::StepShape& step, const std::string& convolution);

/// The pass of a convolution that an operation of a step is; none if it is something else.
std::optional<analysis::ConvolutionPass> passOf(const analysis::StepOperation& operation);
/// The index of a layer from its name: "conv2d_1" is 1.
std::size_t indexOf(const std::string& layer);

} // namespace halfstep::bench
