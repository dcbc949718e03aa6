#pragma once
#include "engine/backend/cuda/kernels/kernel_set.h"
#include "engine/tensor/tensor.h"
#include <cstddef>

namespace halfstep::backend::cuda {

/// Puts kernels of a convolution into the order that cuDNN wants: w [R, S, C, K] to `krsc` [K, R, S, C], device
/// memory of as many bytes in w's dtype, elsewhere than w. Returns before it is done, as all that goes through the
/// stream.
void kernelsToKrsc(KernelSet& kernels, const tensor::Tensor& w, const std::byte* krsc);

/// And back: `krsc` [K, R, S, C] to w [R, S, C, K].
void kernelsFromKrsc(KernelSet& kernels, const std::byte* krsc, const tensor::Tensor& w);

} // namespace halfstep::backend::cuda
