// Kernels on float32 alone: the dense layer's rows and sums of partial results.
#include "engine/backend/cpu/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/float_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/lanes-inl.h"
// clang-format on

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

void FillFloat(Kernels& kernels) {
    kernels.f32 = {&add, &axpy, &dot};
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
