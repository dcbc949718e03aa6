#pragma once
#include "engine/backend/cpu/fft/fft_plan.h"

namespace halfstep::backend::cpu {

/// Estimated work of the three passes over a batch, in fused multiply-adds at the full rate of the CPU.
double directCost(const ConvolutionGeometry& geometry, std::int64_t batch);
double fftCost(const ConvolutionGeometry& geometry, const FftPlan& plan, std::int64_t batch);

enum class FftPass { Forward, BackwardWeights, BackwardData };

/// What the algorithm itself does in one pass over a batch: arithmetic instructions a lane. A fused multiply-add
/// counts as one, and so does an addition, since it takes the place of a multiply-add in the CPU.
struct FftOperations {
    double products = 0;   ///< of spectra: three real multiply-adds a complex one (Gauss)
    double transforms = 0; ///< of tiles of activations and their gradients
    double weights = 0;    ///< spectra of the weights, or taps of their gradient's
    double all() const { return products + transforms + weights; }
};
FftOperations fftOperations(const ConvolutionGeometry& geometry, const FftPlan& plan, std::int64_t batch,
                            FftPass pass);

} // namespace halfstep::backend::cpu
