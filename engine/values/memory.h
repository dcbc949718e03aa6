#pragma once
#include <cstdint>

namespace halfstep::values {

/// Bytes that a training takes on its device, by what they are for.
struct PredictedMemory {
    std::uint64_t variables = 0;   ///< with their copies in the compute dtype, and moving averages
    std::uint64_t optimizer = 0;   ///< its state
    std::uint64_t activations = 0; ///< images, outputs of layers, statistics
    std::uint64_t gradients = 0;   ///< of activations and variables
    std::uint64_t reserve = 0;     ///< what convolutions keep from their forward passes to their backward passes
    std::uint64_t workspace = 0;   ///< scratch memory of convolutions
    std::uint64_t peak = 0;        ///< the most at once: Backend::peakBytes() after the run

    std::uint64_t total() const { return variables + optimizer + activations + gradients + reserve + workspace; }
    bool operator==(const PredictedMemory&) const = default;
};

} // namespace halfstep::values
