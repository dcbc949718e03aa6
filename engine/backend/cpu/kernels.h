#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cpu/fft/fft_kernels.h"
#include "engine/backend/cpu/instruction_set.h"
#include "engine/backend/cpu/narrow/narrow_kernels.h"
#include "engine/tensor/dtype.h"
#include <array>
#include <cstddef>
#include <cstdint>

namespace halfstep::backend::cpu {

/// Rows that a sum adds in one chain before the chain goes into the total: the rounding error of a float32 sum grows
/// with the length of its chains. Of 512 equal values one chain loses 40 units in the last place, chains of 64
/// lose 5.
inline constexpr std::size_t kRowChain = 64;

/// Factors of one Adam step, rounded to float32: 1 - beta1, 1 - beta2, alpha, epsilon.
struct AdamFactors {
    float oneMinusBeta1, oneMinusBeta2, alpha, epsilon;
};

/// Elements by the exponent field of their float32 (0: zeros; subnormals are apart).
struct ExponentCounts {
    std::array<std::uint32_t, 256> fields{};
    std::array<std::uint32_t, 24> subnormals{}; ///< index i: 2^(i - 149) <= |x| < 2^(i - 148)
    std::uint32_t nans = 0;                     ///< of fields[255]
    std::uint32_t largest = 0;                  ///< bits of the largest finite magnitude
};

/// The inner loops that read or write one storage dtype S, on one thread. All arithmetic is float32; a store rounds
/// to S once. `rows` x `c` is a block of an NHWC tensor: its innermost dimension and any number of the outer ones.
struct StorageKernels {
    void (*toFloat)(const void* x, std::size_t n, float* y) = nullptr;
    void (*fromFloat)(const float* x, std::size_t n, void* y) = nullptr;
    /// y = max(x, 0); NaN stays NaN.
    void (*fromFloatRelu)(const float* x, std::size_t n, void* y) = nullptr;
    /// y = x / 255
    void (*fromBytes)(const std::uint8_t* x, std::size_t n, void* y) = nullptr;
    /// to = x / scale; false if any x is infinite or NaN.
    bool (*unscale)(const void* x, std::size_t n, float scale, float* to) = nullptr;

    /// Keras' Adam on elements of S; adds to `counts`.
    void (*adam)(const void* g, std::size_t n, const AdamFactors& factors, void* m, void* v, void* w,
                 UpdateCounts& counts) = nullptr;
    /// w -= rate g
    void (*sgd)(const void* g, std::size_t n, float rate, void* w, UpdateCounts& counts) = nullptr;
    /// moving = moving momentum + batch (1 - momentum)
    void (*movingAverage)(const float* batch, std::size_t n, float momentum, void* moving) = nullptr;
    /// n is at most 2^32 - 1.
    void (*countExponents)(const void* x, std::size_t n, ExponentCounts& counts) = nullptr;

    /// sums[c] = sum over rows
    void (*sumRows)(const void* x, std::size_t rows, std::size_t c, float* sums) = nullptr;
    /// Every row becomes `values`.
    void (*fillRows)(const float* values, std::size_t rows, std::size_t c, void* y) = nullptr;
    /// dy = 0 where not y > 0; sums[c] = sum of dy over rows.
    void (*reluBackwardRows)(const void* y, void* dy, std::size_t rows, std::size_t c, float* sums) = nullptr;

    /// offset[c] = mean over rows of (x - pivot), squares[c] = sum over rows of (x - pivot - offset)^2.
    void (*blockMoments)(const void* x, std::size_t rows, std::size_t c, const float* pivot, float* offset,
                         float* squares) = nullptr;
    /// y = (x - mean) scale + beta
    void (*normalizeRows)(const void* x, std::size_t rows, std::size_t c, const float* mean, const float* scale,
                          const float* beta, void* y) = nullptr;
    /// sumDy[c] = sum of dy, sumDyXhat[c] = sum of dy (x - mean) invStd
    void (*batchNormSums)(const void* x, const void* dy, std::size_t rows, std::size_t c, const float* mean,
                          const float* invStd, float* sumDy, float* sumDyXhat) = nullptr;
    /// dx = scale (dy - meanDy - (x - mean) slope)
    void (*batchNormBackwardRows)(const void* x, const void* dy, std::size_t rows, std::size_t c, const float* mean,
                                  const float* scale, const float* meanDy, const float* slope, void* dx) = nullptr;
    /// The same where x > 0, else 0; sums[c] = sum of dx, as stored, over rows.
    void (*batchNormReluBackwardRows)(const void* x, const void* dy, std::size_t rows, std::size_t c,
                                      const float* mean, const float* scale, const float* meanDy, const float* slope,
                                      void* dx, float* sums) = nullptr;
};

/// The inner loops on float32 alone.
struct FloatKernels {
    void (*add)(const float* x, std::size_t n, float* y) = nullptr;           ///< y += x
    void (*axpy)(float a, const float* x, std::size_t n, float* y) = nullptr; ///< y += a x
    float (*dot)(const float* x, const float* y, std::size_t n) = nullptr;
};

/// Loops that only measure the machine; see ceilings.h. n is a multiple of 64.
struct CeilingKernels {
    /// Multiplies and adds in registers; the number of operations, a multiply-add being two.
    double (*multiplyAdd)(std::size_t rounds, float* result) = nullptr;
    float (*sum)(const float* x, std::size_t n) = nullptr;
    void (*copy)(const float* x, std::size_t n, float* y) = nullptr;
    void (*triad)(const float* x, const float* y, std::size_t n, float* z) = nullptr; ///< z = x + 3 y
};

/// All inner loops, built for one instruction set.
struct Kernels {
    std::array<StorageKernels, 3> storage; ///< by DType
    FloatKernels f32;
    FftKernels fft;
    NarrowKernels narrow;
    CeilingKernels ceilings;

    const StorageKernels& of(tensor::DType dtype) const { return storage[static_cast<std::size_t>(dtype)]; }
};

Kernels kernelsFor(const InstructionSet& set);

// Each fills its part of the table for the instruction set that Highway has chosen; kernelsFor calls them.
void fillConversionKernels(Kernels& kernels);
void fillRowKernels(Kernels& kernels);
void fillBatchNormKernels(Kernels& kernels);
void fillFloatKernels(Kernels& kernels);
void fillOptimizerKernels(Kernels& kernels);
void fillExponentKernels(Kernels& kernels);
void fillFftWindowKernels(Kernels& kernels);
void fillFftWeightKernels(Kernels& kernels);
void fillFftProductKernels(Kernels& kernels);
void fillNarrowKernels(Kernels& kernels);
void fillCeilingKernels(Kernels& kernels);

} // namespace halfstep::backend::cpu
