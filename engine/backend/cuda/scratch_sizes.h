#pragma once
#include "engine/backend/cuda/kernels/exponent_bins.h"
#include "engine/tensor/tensor.h"
#include <cstddef>
#include <cstdint>

// Scratch memory of the verbs, in bytes: what they reserve, and what their rehearsal does.
namespace halfstep::backend::cuda {

/// float32 values of a tensor on their way from or to the host. A float32 tensor needs no such stop.
inline std::size_t transferScratchBytes(const tensor::Tensor& t) {
    return t.dtype == tensor::DType::Float32 ? 0 : static_cast<std::size_t>(t.count()) * sizeof(float);
}
/// Images as bytes.
inline std::size_t imageScratchBytes(const tensor::Tensor& y) {
    return static_cast<std::size_t>(y.count());
}
inline constexpr std::size_t kExponentScratchBytes = sizeof(ExponentBins);
/// Whether a gradient is not finite.
inline constexpr std::size_t kUnscaleScratchBytes = sizeof(int);
/// Updates wanted and lost.
inline constexpr std::size_t kUpdateScratchBytes = 2 * sizeof(std::uint64_t);

} // namespace halfstep::backend::cuda
