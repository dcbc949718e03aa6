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

/// So that four elements are one load or store.
template <typename T>
struct alignas(4 * sizeof(T)) Four {
    T at[4];
};

template <typename H>
__device__ H ofByte(std::uint8_t x) {
    return rounded<H>(static_cast<float>(x) / 255.0F);
}

template <typename H>
__device__ void normalizeBytes(const std::uint8_t* x, H* y, std::int64_t n) {
    const auto* fours = reinterpret_cast<const Four<std::uint8_t>*>(x);
    for (std::int64_t i = firstIndex(); i < n / 4; i += indexStride()) {
        const Four<std::uint8_t> from = fours[i];
        reinterpret_cast<Four<H>*>(y)[i] = {ofByte<H>(from.at[0]), ofByte<H>(from.at[1]), ofByte<H>(from.at[2]),
                                            ofByte<H>(from.at[3])};
    }
    for (std::int64_t i = n / 4 * 4 + firstIndex(); i < n; i += indexStride()) {
        y[i] = ofByte<H>(x[i]);
    }
}

} // namespace
} // namespace halfstep::backend::cuda

using halfstep::backend::cuda::Bfloat;
using halfstep::backend::cuda::Half;

// halfstep_cast_from_<x's dtype>_<y's dtype>
#define HALFSTEP_CAST(from, From, to, To)                                                                            \
    HALFSTEP_KERNEL halfstep_cast_from_##from##_##to(const From* x, To* y, std::int64_t n) {                         \
        halfstep::backend::cuda::castElements(x, y, n);                                                              \
    }                                                                                                                \
    HALFSTEP_EXPORT(halfstep_cast_from_##from##_##to)
#define HALFSTEP_CASTS(from, From)                                                                                   \
    HALFSTEP_CAST(from, From, float32, float)                                                                        \
    HALFSTEP_CAST(from, From, float16, Half)                                                                         \
    HALFSTEP_CAST(from, From, bfloat16, Bfloat)
HALFSTEP_CASTS(float32, float)
HALFSTEP_CASTS(float16, Half)
HALFSTEP_CASTS(bfloat16, Bfloat)

// halfstep_normalize_images_<y's dtype>
#define HALFSTEP_NORMALIZE(h, H)                                                                                     \
    HALFSTEP_KERNEL halfstep_normalize_images_##h(const std::uint8_t* x, H* y, std::int64_t n) {                     \
        halfstep::backend::cuda::normalizeBytes(x, y, n);                                                            \
    }                                                                                                                \
    HALFSTEP_EXPORT(halfstep_normalize_images_##h)
HALFSTEP_NORMALIZE(float32, float)
HALFSTEP_NORMALIZE(float16, Half)
HALFSTEP_NORMALIZE(bfloat16, Bfloat)
