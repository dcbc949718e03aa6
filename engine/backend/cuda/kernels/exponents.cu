// Counts the elements of a tensor by binary exponent.
#include "engine/backend/cuda/kernels/elements.cuh"
#include "engine/backend/cuda/kernels/exponent_bins.h"

namespace halfstep::backend::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kInfinity = 0x7F800000U;
constexpr unsigned kSmallestNormal = 0x00800000U;

__device__ unsigned binOf(unsigned magnitude) {
    if (magnitude > kInfinity) {
        return ExponentBins::kNans;
    }
    if (magnitude > 0 && magnitude < kSmallestNormal) { // as an integer it has its highest bit for an exponent
        return ExponentBins::kSubnormals + (__float_as_uint(static_cast<float>(magnitude)) >> 23) - 127;
    }
    return magnitude >> 23;
}

/// Neighbours often have one exponent: each warp has a table of its own, and zeros are counted apart.
template <typename H>
__device__ void countExponents(const H* x, std::int64_t n, ExponentBins* bins) {
    __shared__ unsigned tables[kWarps][ExponentBins::kCount];
    for (unsigned i = threadIdx.x; i < kWarps * ExponentBins::kCount; i += kThreads) {
        tables[i / ExponentBins::kCount][i % ExponentBins::kCount] = 0;
    }
    __syncthreads();
    unsigned zeros = 0;
    unsigned largest = 0;
    unsigned* table = tables[threadIdx.x / 32];
    for (std::int64_t i = firstIndex(); i < n; i += indexStride()) {
        const unsigned magnitude = __float_as_uint(valueOf(x[i])) & 0x7FFFFFFFU;
        if (magnitude == 0) {
            ++zeros;
            continue;
        }
        atomicAdd(table + binOf(magnitude), 1U);
        largest = magnitude < kInfinity ? max(largest, magnitude) : largest;
    }
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        zeros += __shfl_down_sync(0xffffffffU, zeros, delta);
        largest = max(largest, __shfl_down_sync(0xffffffffU, largest, delta));
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(table, zeros);
        atomicMax(bins->of + ExponentBins::kLargest, static_cast<unsigned long long>(largest));
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < ExponentBins::kCount; bin += kThreads) {
        unsigned long long sum = 0;
        for (unsigned warp = 0; warp < kWarps; ++warp) {
            sum += tables[warp][bin];
        }
        if (sum > 0) {
            atomicAdd(bins->of + bin, sum);
        }
    }
}

} // namespace
} // namespace halfstep::backend::cuda

using halfstep::backend::cuda::Bfloat;
using halfstep::backend::cuda::Half;

// halfstep_exponents_<x's dtype>, for blocks of 256 threads
#define HALFSTEP_EXPONENTS(h, H)                                                                                     \
    HALFSTEP_KERNEL halfstep_exponents_##h(const H* x, std::int64_t n,                                               \
                                           halfstep::backend::cuda::ExponentBins* bins) {                            \
        halfstep::backend::cuda::countExponents(x, n, bins);                                                         \
    }                                                                                                                \
    HALFSTEP_EXPORT(halfstep_exponents_##h)
HALFSTEP_EXPONENTS(float32, float)
HALFSTEP_EXPONENTS(float16, Half)
HALFSTEP_EXPONENTS(bfloat16, Bfloat)
