#pragma once
#include "engine/backend/cpu/convolution.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/plan/convolution_method.h"
#include "engine/backend/cpu/thread_pool.h"
#include <string_view>

namespace halfstep::backend::cpu {

/// Seconds of the three passes over a made batch of float32, after a first time that warms up. Infinite if the memory
/// does not suffice.
double timeConvolution(const ConvolutionMethod& method, const ConvolutionGeometry& geometry, std::int64_t batch,
                       ThreadPool& pool, const Kernels& kernels, std::string_view isa);

} // namespace halfstep::backend::cpu
