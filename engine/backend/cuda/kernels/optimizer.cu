// Variables and their gradients, element by element, in float32 from and to any dtype. The operations and their order
// are those of the CPU, so that the bits are.
#include "engine/backend/cuda/kernels/elements.cuh"

namespace halfstep::backend::cuda {
namespace {

/// Sums of all threads of a warp go to memory as one.
__device__ void addCount(unsigned count, unsigned long long* to) {
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        count += __shfl_down_sync(0xffffffffU, count, delta);
    }
    if (threadIdx.x % 32 == 0 && count > 0) {
        atomicAdd(to, static_cast<unsigned long long>(count));
    }
}

struct Counts {
    unsigned wanted = 0;
    unsigned lost = 0;

    __device__ void addTo(unsigned long long* both) const {
        addCount(wanted, both);
        addCount(lost, both + 1);
    }
};

template <typename H>
__device__ void applyUpdate(float update, H& w, Counts& counts) {
    const float before = valueOf(w);
    const H after = rounded<H>(before - update);
    w = after;
    const bool wanted = !(update == 0.0F); // NaN too
    counts.wanted += wanted ? 1 : 0;
    counts.lost += wanted && valueOf(after) == before ? 1 : 0;
}

template <typename H>
__device__ void adam(const H* gradient, std::int64_t n, float oneMinusBeta1, float oneMinusBeta2, float alpha,
                     float epsilon, H* m, H* v, H* w, unsigned long long* counts) {
    Counts mine;
    for (std::int64_t i = firstIndex(); i < n; i += indexStride()) {
        const float g = valueOf(gradient[i]), m0 = valueOf(m[i]), v0 = valueOf(v[i]);
        const float m1 = m0 + (g - m0) * oneMinusBeta1;
        const float v1 = v0 + (g * g - v0) * oneMinusBeta2;
        m[i] = rounded<H>(m1);
        v[i] = rounded<H>(v1);
        // A moment of 0 moves nothing, also where v and a rounded epsilon are 0 and the quotient would be NaN.
        applyUpdate(m1 == 0.0F ? 0.0F : alpha * m1 / (__fsqrt_rn(v1) + epsilon), w[i], mine);
    }
    mine.addTo(counts);
}

template <typename H>
__device__ void sgd(const H* gradient, std::int64_t n, float rate, H* w, unsigned long long* counts) {
    Counts mine;
    for (std::int64_t i = firstIndex(); i < n; i += indexStride()) {
        applyUpdate(rate * valueOf(gradient[i]), w[i], mine);
    }
    mine.addTo(counts);
}

template <typename H>
__device__ void movingAverage(const float* batch, std::int64_t n, float momentum, H* moving) {
    for (std::int64_t i = firstIndex(); i < n; i += indexStride()) {
        moving[i] = rounded<H>(valueOf(moving[i]) * momentum + batch[i] * (1.0F - momentum));
    }
}

/// Sets `notFinite` where an element is not finite. x and y may be one tensor.
template <typename From, typename To>
__device__ void unscale(const From* x, std::int64_t n, float scale, To* y, int* notFinite) {
    bool finite = true;
    for (std::int64_t i = firstIndex(); i < n; i += indexStride()) {
        const float value = valueOf(x[i]);
        finite = finite && value - value == 0.0F;
        y[i] = rounded<To>(value / scale);
    }
    if (!finite) {
        atomicOr(notFinite, 1);
    }
}

} // namespace
} // namespace halfstep::backend::cuda

using halfstep::backend::cuda::Bfloat;
using halfstep::backend::cuda::Half;

#define HALFSTEP_UNSCALE(from, From, to, To)                                                                         \
    HALFSTEP_KERNEL halfstep_unscale_from_##from##_##to(const From* x, std::int64_t n, float scale, To* y,           \
                                                        int* notFinite) {                                            \
        halfstep::backend::cuda::unscale(x, n, scale, y, notFinite);                                                 \
    }                                                                                                                \
    HALFSTEP_EXPORT(halfstep_unscale_from_##from##_##to)
// halfstep_adam_<h>, halfstep_sgd_<h>, halfstep_moving_average_<h>, halfstep_unscale_from_<gradient's
// dtype>_<result's>
#define HALFSTEP_OPTIMIZER(h, H)                                                                                     \
    HALFSTEP_KERNEL halfstep_adam_##h(const H* g, std::int64_t n, float oneMinusBeta1, float oneMinusBeta2,          \
                                      float alpha, float epsilon, H* m, H* v, H* w, unsigned long long* counts) {    \
        halfstep::backend::cuda::adam(g, n, oneMinusBeta1, oneMinusBeta2, alpha, epsilon, m, v, w, counts);          \
    }                                                                                                                \
    HALFSTEP_EXPORT(halfstep_adam_##h)                                                                               \
    HALFSTEP_KERNEL halfstep_sgd_##h(const H* g, std::int64_t n, float rate, H* w, unsigned long long* counts) {     \
        halfstep::backend::cuda::sgd(g, n, rate, w, counts);                                                         \
    }                                                                                                                \
    HALFSTEP_EXPORT(halfstep_sgd_##h)                                                                                \
    HALFSTEP_KERNEL halfstep_moving_average_##h(const float* batch, std::int64_t n, float momentum, H* moving) {     \
        halfstep::backend::cuda::movingAverage(batch, n, momentum, moving);                                          \
    }                                                                                                                \
    HALFSTEP_EXPORT(halfstep_moving_average_##h)                                                                     \
    HALFSTEP_UNSCALE(h, H, float32, float)                                                                           \
    HALFSTEP_UNSCALE(h, H, float16, Half)                                                                            \
    HALFSTEP_UNSCALE(h, H, bfloat16, Bfloat)
HALFSTEP_OPTIMIZER(float32, float)
HALFSTEP_OPTIMIZER(float16, Half)
HALFSTEP_OPTIMIZER(bfloat16, Bfloat)
