// Verbs that look at each element by itself.
#include "engine/backend/cuda/kernels/elements.cuh"

namespace halfstep::backend::cuda {
namespace {

template <typename From, typename To>
__device__ void castElements(const From* x, To* y, std::int64_t n) {
    for (std::int64_t i = firstIndex(); i < n; i += indexStride()) {
        y[i] = rounded<To>(valueOf(x[i]));
    }
}

} // namespace
} // namespace halfstep::backend::cuda

using halfstep::backend::cuda::Bfloat;
using halfstep::backend::cuda::Half;

// halfstep_cast_from_<x's dtype>_<y's dtype>
#define HALFSTEP_CAST(from, From, to, To)                                                                              \
    HALFSTEP_KERNEL halfstep_cast_from_##from##_##to(const From* x, To* y, std::int64_t n) {                           \
        halfstep::backend::cuda::castElements(x, y, n);                                                                \
    }                                                                                                                  \
    HALFSTEP_EXPORT(halfstep_cast_from_##from##_##to)
#define HALFSTEP_CASTS(from, From)                                                                                     \
    HALFSTEP_CAST(from, From, float32, float)                                                                          \
    HALFSTEP_CAST(from, From, float16, Half)                                                                           \
    HALFSTEP_CAST(from, From, bfloat16, Bfloat)
HALFSTEP_CASTS(float32, float)
HALFSTEP_CASTS(float16, Half)
HALFSTEP_CASTS(bfloat16, Bfloat)
