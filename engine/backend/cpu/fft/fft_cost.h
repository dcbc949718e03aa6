#pragma once
#include "engine/backend/cpu/fft/fft_plan.h"

namespace halfstep::backend::cpu {

/// Estimated work of the three passes over a batch, in fused multiply-adds at the full rate of the CPU.
double directCost(const ConvolutionGeometry& geometry, std::int64_t batch);
double fftCost(const ConvolutionGeometry& geometry, const FftPlan& plan, std::int64_t batch);

/// The cheapest plan for a batch; none if no tile size fits.
std::optional<FftPlan> cheapestFftPlan(const ConvolutionGeometry& geometry, std::int64_t batch);

} // namespace halfstep::backend::cpu
