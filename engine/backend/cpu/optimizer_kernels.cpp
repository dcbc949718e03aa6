// The optimizers' updates, computed in float32 on variables of any storage dtype. They count what rounding takes
// away.
#include "engine/backend/cpu/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/optimizer_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/lanes-inl.h"
// clang-format on
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// w -= update, stored as S, for a vector of elements and for one.
template <class S>
HWY_INLINE void applyUpdate(VF update, typename S::Element* w, UpdateCounts& counts) {
    const F d;
    const VF before = S::load(w);
    S::store(hn::Sub(before, update), w);
    const auto wanted = hn::Not(hn::Eq(update, hn::Zero(d))); // NaN too, which AVX2's Ne leaves out
    const auto lost = hn::And(wanted, hn::Eq(S::load(w), before));
    counts.wanted += static_cast<std::int64_t>(hn::CountTrue(d, wanted));
    counts.lost += static_cast<std::int64_t>(hn::CountTrue(d, lost));
}

template <class S>
void applyUpdate(float update, typename S::Element* w, UpdateCounts& counts) {
    const float before = S::scalarLoad(w);
    S::scalarStore(before - update, w);
    const bool wanted = update != 0.0f;
    counts.wanted += wanted ? 1 : 0;
    counts.lost += wanted && S::scalarLoad(w) == before ? 1 : 0;
}

template <class S>
void adam(const void* gradient, std::size_t n, const AdamFactors& factors, void* first, void* second, void* variable,
          UpdateCounts& counts) {
    using Element = typename S::Element;
    const auto* g = static_cast<const Element*>(gradient);
    auto* m = static_cast<Element*>(first);
    auto* v = static_cast<Element*>(second);
    auto* w = static_cast<Element*>(variable);
    const F d;
    const VF rate1 = hn::Set(d, factors.oneMinusBeta1);
    const VF rate2 = hn::Set(d, factors.oneMinusBeta2);
    const VF alpha = hn::Set(d, factors.alpha);
    const VF epsilon = hn::Set(d, factors.epsilon);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        const VF gi = S::load(g + i);
        const VF m0 = S::load(m + i);
        const VF v0 = S::load(v + i);
        const VF m1 = hn::Add(m0, hn::Mul(hn::Sub(gi, m0), rate1));
        const VF v1 = hn::Add(v0, hn::Mul(hn::Sub(hn::Mul(gi, gi), v0), rate2));
        S::store(m1, m + i);
        S::store(v1, v + i);
        // A moment of 0 moves nothing, also where v and a rounded epsilon are 0 and the quotient would be NaN.
        const VF quotient = hn::Div(hn::Mul(alpha, m1), hn::Add(hn::Sqrt(v1), epsilon));
        applyUpdate<S>(hn::IfThenZeroElse(hn::Eq(m1, hn::Zero(d)), quotient), w + i, counts);
    }
    for (; i < n; ++i) {
        const float gi = S::scalarLoad(g + i), m0 = S::scalarLoad(m + i), v0 = S::scalarLoad(v + i);
        const float m1 = m0 + (gi - m0) * factors.oneMinusBeta1;
        const float v1 = v0 + (gi * gi - v0) * factors.oneMinusBeta2;
        S::scalarStore(m1, m + i);
        S::scalarStore(v1, v + i);
        applyUpdate<S>(m1 == 0.0f ? 0.0f : factors.alpha * m1 / (std::sqrt(v1) + factors.epsilon), w + i, counts);
    }
}

template <class S>
void sgd(const void* gradient, std::size_t n, float rate, void* variable, UpdateCounts& counts) {
    const auto* g = static_cast<const typename S::Element*>(gradient);
    auto* w = static_cast<typename S::Element*>(variable);
    const F d;
    const VF factor = hn::Set(d, rate);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        applyUpdate<S>(hn::Mul(factor, S::load(g + i)), w + i, counts);
    }
    for (; i < n; ++i) {
        applyUpdate<S>(rate * S::scalarLoad(g + i), w + i, counts);
    }
}

template <class S>
void movingAverage(const float* batch, std::size_t n, float momentum, void* average) {
    auto* moving = static_cast<typename S::Element*>(average);
    const F d;
    const VF keep = hn::Set(d, momentum);
    const VF take = hn::Set(d, 1.0f - momentum);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        const VF kept = hn::Mul(S::load(moving + i), keep);
        S::store(hn::Add(kept, hn::Mul(hn::LoadU(d, batch + i), take)), moving + i);
    }
    for (; i < n; ++i) {
        S::scalarStore(S::scalarLoad(moving + i) * momentum + batch[i] * (1.0f - momentum), moving + i);
    }
}

template <class S>
void fillOptimizerOf(StorageKernels& table) {
    table.adam = &adam<S>;
    table.sgd = &sgd<S>;
    table.movingAverage = &movingAverage<S>;
}

void FillOptimizer(Kernels& kernels) {
    fillOptimizerOf<Float32>(kernels.storage[0]);
    fillOptimizerOf<Float16>(kernels.storage[1]);
    fillOptimizerOf<BFloat16>(kernels.storage[2]);
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillOptimizer);
void fillOptimizerKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillOptimizer)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
