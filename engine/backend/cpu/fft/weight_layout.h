#pragma once
#include "engine/backend/cpu/convolution.h"
#include "engine/backend/cpu/fft/fft_plan.h"
#include "engine/backend/cpu/thread_pool.h"

namespace halfstep::backend::cpu {

/// The taps of w [R, S, C, K] by phase: row s j + p of the kernel is tap j of phase p, zero where the kernel has
/// none. With C and K rounded up to whole groups of 16 and D = s s C input channels (phase row, phase column,
/// channel): by filter, taps [K / 16][D][tapRows * tapColumns][16 filters]; by channel, taps [D / 16][K][tapRows *
/// tapColumns][16 channels]. Values are multiplied by `scale`; those of channels and filters behind the real ones are
/// 0.
void tapsByFilter(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* w, float scale,
                  float* taps);
void tapsByChannel(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* w, float scale,
                   float* taps);
/// The way back from taps [D][K / 16][tapRows * tapColumns][16 filters]: w = scale * taps.
void weightsOfTaps(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* taps,
                   float scale, float* w);

} // namespace halfstep::backend::cpu
