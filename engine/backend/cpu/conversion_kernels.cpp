// Elementwise kernels between float32 and the storage dtypes.
#include "engine/backend/cpu/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/conversion_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/lanes-inl.h"
// clang-format on
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

template <class S>
void toFloat(const void* x, std::size_t n, float* y) {
    const auto* from = static_cast<const typename S::Element*>(x);
    const F d;
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        hn::StoreU(S::load(from + i), d, y + i);
    }
    for (; i < n; ++i) {
        y[i] = S::scalarLoad(from + i);
    }
}

template <class S>
void fromFloat(const float* x, std::size_t n, void* y) {
    auto* to = static_cast<typename S::Element*>(y);
    const F d;
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        S::store(hn::LoadU(d, x + i), to + i);
    }
    for (; i < n; ++i) {
        S::scalarStore(x[i], to + i);
    }
}

template <class S>
void fromFloatRelu(const float* x, std::size_t n, void* y) {
    auto* to = static_cast<typename S::Element*>(y);
    const F d;
    const VF zero = hn::Zero(d);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        const VF v = hn::LoadU(d, x + i);
        S::store(hn::IfThenZeroElse(hn::Lt(v, zero), v), to + i);
    }
    for (; i < n; ++i) {
        S::scalarStore(x[i] < 0.0f ? 0.0f : x[i], to + i);
    }
}

template <class S>
void fromBytes(const std::uint8_t* x, std::size_t n, void* y) {
    auto* to = static_cast<typename S::Element*>(y);
    const F d;
    const hn::Rebind<std::uint8_t, F> d8;
    const hn::RebindToSigned<F> di;
    const VF full = hn::Set(d, 255.0f);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        const VF v = hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, x + i)));
        S::store(hn::Div(v, full), to + i);
    }
    for (; i < n; ++i) {
        S::scalarStore(static_cast<float>(x[i]) / 255.0f, to + i);
    }
}

template <class S>
bool unscale(const void* x, std::size_t n, float scale, float* to) {
    const auto* from = static_cast<const typename S::Element*>(x);
    const F d;
    const VF divisor = hn::Set(d, scale);
    // x - x is 0 for finite x and NaN otherwise: one sum tells of all elements.
    VF differences = hn::Zero(d);
    bool tailFinite = true;
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
        const VF v = S::load(from + i);
        differences = hn::Add(differences, hn::Sub(v, v));
        hn::StoreU(hn::Div(v, divisor), d, to + i);
    }
    for (; i < n; ++i) {
        const float v = S::scalarLoad(from + i);
        tailFinite = tailFinite && std::isfinite(v);
        to[i] = v / scale;
    }
    return tailFinite && hn::AllTrue(d, hn::Eq(differences, hn::Zero(d)));
}

template <class S>
void fillConversionsOf(StorageKernels& table) {
    table.toFloat = &toFloat<S>;
    table.fromFloat = &fromFloat<S>;
    table.fromFloatRelu = &fromFloatRelu<S>;
    table.fromBytes = &fromBytes<S>;
    table.unscale = &unscale<S>;
}

void FillConversions(Kernels& kernels) {
    fillConversionsOf<Float32>(kernels.storage[0]);
    fillConversionsOf<Float16>(kernels.storage[1]);
    fillConversionsOf<BFloat16>(kernels.storage[2]);
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillConversions);
void fillConversionKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillConversions)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
