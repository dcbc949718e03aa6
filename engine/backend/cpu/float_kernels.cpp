// Kernels on float32 alone: the dense layer's rows, sums of partial results, and Adam.
#include "engine/backend/cpu/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/float_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/lanes-inl.h"
// clang-format on
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

void add(const float* x, std::size_t n, float* y) {
    const F d;
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::LoadU(d, x + i)), d, y + i);
    }
    for (; i < n; ++i) {
        y[i] += x[i];
    }
}

void axpy(float a, const float* x, std::size_t n, float* y) {
    const F d;
    const VF factor = hn::Set(d, a);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
    }
    for (; i < n; ++i) {
        y[i] += a * x[i];
    }
}

float dot(const float* x, const float* y, std::size_t n) {
    const F d;
    VF acc = hn::Zero(d);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        acc = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), acc);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, acc));
    for (; i < n; ++i) {
        sum += x[i] * y[i];
    }
    return sum;
}

void adam(const float* g, std::size_t n, float oneMinusBeta1, float oneMinusBeta2, float alpha, float epsilon,
          float* m, float* v, float* w) {
    const F d;
    const VF rate1 = hn::Set(d, oneMinusBeta1);
    const VF rate2 = hn::Set(d, oneMinusBeta2);
    const VF step = hn::Set(d, alpha);
    const VF eps = hn::Set(d, epsilon);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        const VF gradient = hn::LoadU(d, g + i);
        const VF m0 = hn::LoadU(d, m + i);
        const VF v0 = hn::LoadU(d, v + i);
        const VF m1 = hn::Add(m0, hn::Mul(hn::Sub(gradient, m0), rate1));
        const VF v1 = hn::Add(v0, hn::Mul(hn::Sub(hn::Mul(gradient, gradient), v0), rate2));
        hn::StoreU(m1, d, m + i);
        hn::StoreU(v1, d, v + i);
        const VF update = hn::Div(hn::Mul(step, m1), hn::Add(hn::Sqrt(v1), eps));
        hn::StoreU(hn::Sub(hn::LoadU(d, w + i), update), d, w + i);
    }
    for (; i < n; ++i) {
        m[i] += (g[i] - m[i]) * oneMinusBeta1;
        v[i] += (g[i] * g[i] - v[i]) * oneMinusBeta2;
        w[i] -= alpha * m[i] / (std::sqrt(v[i]) + epsilon);
    }
}

void movingAverage(const float* batch, std::size_t n, float momentum, float* moving) {
    const F d;
    const VF keep = hn::Set(d, momentum);
    const VF take = hn::Set(d, 1.0f - momentum);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        const VF kept = hn::Mul(hn::LoadU(d, moving + i), keep);
        hn::StoreU(hn::Add(kept, hn::Mul(hn::LoadU(d, batch + i), take)), d, moving + i);
    }
    for (; i < n; ++i) {
        moving[i] = moving[i] * momentum + batch[i] * (1.0f - momentum);
    }
}

void FillFloat(Kernels& kernels) {
    kernels.f32 = {&add, &axpy, &dot, &adam, &movingAverage};
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillFloat);
void fillFloatKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillFloat)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
