#pragma once
#include "engine/backend/cuda/kernels/kernel.cuh"
#include "engine/tensor/half.h"

#if defined(__CUDA_ARCH__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

// Elements of tensors as memory holds them, and their float32 values. Sums and products are float32; a store rounds
// once, to nearest, ties to even. On a card its own conversion instructions do it; elsewhere engine/tensor/half.h,
// which gives the same bits but for the payload of a NaN.
namespace halfstep::backend::cuda {

struct Half {
    std::uint16_t bits;
};
struct Bfloat {
    std::uint16_t bits;
};

__host__ __device__ inline float valueOf(float x) {
    return x;
}
__host__ __device__ inline float valueOf(Half x) {
#if defined(__CUDA_ARCH__)
    return __half2float(__ushort_as_half(x.bits));
#else
    return tensor::floatFromHalf(x.bits);
#endif
}
__host__ __device__ inline float valueOf(Bfloat x) {
#if defined(__CUDA_ARCH__)
    return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
#else
    return tensor::floatFromBfloat(x.bits);
#endif
}

/// `value` rounded to an element of type H.
template <typename H>
__host__ __device__ H rounded(float value);

template <>
__host__ __device__ inline float rounded<float>(float value) {
    return value;
}
template <>
__host__ __device__ inline Half rounded<Half>(float value) {
#if defined(__CUDA_ARCH__)
    return Half{__half_as_ushort(__float2half_rn(value))};
#else
    return Half{tensor::halfFromFloat(value)};
#endif
}
template <>
__host__ __device__ inline Bfloat rounded<Bfloat>(float value) {
#if defined(__CUDA_ARCH__)
    return Bfloat{__bfloat16_as_ushort(__float2bfloat16_rn(value))};
#else
    return Bfloat{tensor::bfloatFromFloat(value)};
#endif
}

} // namespace halfstep::backend::cuda
