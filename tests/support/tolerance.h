#pragma once
#include "engine/precision/policy.h"
#include "tests/support/array.h"
#include <gtest/gtest.h>
#include <string>

/// All tolerances of the numerics tests stand in this file.
namespace halfstep::support {

/// Error that a float32 sum of `terms` products may have, as a share of the rms of the results: it grows like a
/// random walk, and the largest of some 100,000 elements lies at about five times its rms.
double sumTolerance(std::int64_t terms);

/// An FFT convolution: of the whole result in the Euclidean norm, and of each element as a share of the rms, since an
/// FFT's error is one of the whole tile.
inline constexpr double kFftRms = 1e-6;
inline constexpr double kFftElement = 1e-5;
/// The same of its gradients in 16 bits, whose spectra are float16: two roundings of 2^-12 at most, 1.4e-4 in the
/// rms, of which each element has a random walk; of a million elements the largest lies at
/// six to eight times its rms.
inline constexpr double kFftHalfRms = 5e-4;
inline constexpr double kFftHalfElement = 3e-3;
inline double fftGradientElement(DType dtype) {
    return dtype == DType::Float32 ? kFftElement : kFftHalfElement;
}
/// Any float32 convolution of the class tests: of the whole result in the Euclidean norm.
inline constexpr double kConvolutionRms = 1e-6;

/// A sum over the pixels of many images that goes by chains of 128, where all roundings of a chain fall to one side.
inline constexpr double kChainsOfAnImage = 1e-6;

/// An elementwise operation with a few float32 roundings, as a share of the value and of the rms.
inline constexpr double kElementwise = 1e-6;

/// Relative L2 of a whole step: every gradient, and of the loss and the logits.
struct StepTolerance {
    double gradients;
    double loss;
    double logits;
};
StepTolerance stepTolerance(precision::Policy policy);

/// stepTolerance's for the gradients of float32, where a whole program is compared with PyTorch.
inline constexpr double kGoldenSmall = 1e-4;
/// Instead of stepTolerance's, at 256x256, for what lies before the last ReLU, where some pre-activations always lie
/// at the kink.
double goldenBeforeTheLastRelu(precision::Policy policy);
/// Adam's first step is nearly the sign of the gradient: where that is small beside the others, so is its accuracy.
inline constexpr double kGoldenUpdated = 1e-3;

/// Of each loss of 50 training steps, absolute; the losses fall from 2.3 to 0.05. In float32 it stays at 3e-7 until
/// a pre-activation takes the other side of ReLU, at a step that depends on the order of the sums, and grows to 2e-4
/// then. The mixed policies: twice what float32's error, added to every sum of the reference, makes of its own
/// losses.
double trajectoryTolerance(precision::Policy policy);

/// Every element of `got` lies within `share` of (its own size + the rms of `exact`) of `exact` rounded to `dtype`;
/// for a 16-bit dtype also one step of it, since a float32 sum beside a midpoint may round to the other side.
testing::AssertionResult isNear(const Array& got, const Array& exact, DType dtype, double share);

/// relativeL2(got, expected) is at most `limit`.
testing::AssertionResult isNearInL2(const Array& got, const Array& expected, double limit);

} // namespace halfstep::support
