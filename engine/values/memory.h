#pragma once
#include <cstdint>

namespace halfstep::values {

/// What of a set of pictures decides the memory of a training.
struct SetCounts {
    std::int64_t classes = 10;
    std::int64_t train = 0;      ///< pictures
    std::int64_t validation = 0; ///< pictures

    /// Of the file that the decoded pictures are mapped from: uint8 [N, side, side, 3].
    std::uint64_t cacheBytes(std::int64_t side) const {
        return static_cast<std::uint64_t>((train + validation) * side * side * 3);
    }
    bool operator==(const SetCounts&) const = default;
};

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
