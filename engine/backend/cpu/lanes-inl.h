// Loads of float32, float16 or bfloat16 as float32 lanes, and stores that round to nearest, ties to even. Included
// once for each instruction set by Highway's foreach_target; bit-equal on all of them with the scalars of
// engine/tensor/half.h.
#if defined(HALFSTEP_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFSTEP_LANES_INL_H_
#undef HALFSTEP_LANES_INL_H_
#else
#define HALFSTEP_LANES_INL_H_
#endif

#include "engine/tensor/half.h"
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F = hn::ScalableTag<float>;
using VF = hn::Vec<F>;

// The storage types, as tags with scalar and vector access.

struct Float32 {
    using Element = float;
    static float scalarLoad(const Element* p) { return *p; }
    static void scalarStore(float v, Element* p) { *p = v; }
    static HWY_INLINE VF load(const Element* p) { return hn::LoadU(F(), p); }
    static HWY_INLINE void store(VF v, Element* p) { hn::StoreU(v, F(), p); }
};

struct Float16 {
    using Element = std::uint16_t;
    static float scalarLoad(const Element* p) { return tensor::floatFromHalf(*p); }
    static void scalarStore(float v, Element* p) { *p = tensor::halfFromFloat(v); }

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    // F16C: the hardware rounds to nearest even and keeps subnormals.
    static HWY_INLINE VF load(const Element* p) {
        const hn::Rebind<hwy::float16_t, F> d16;
        return hn::PromoteTo(F(), hn::LoadU(d16, reinterpret_cast<const hwy::float16_t*>(p)));
    }
    static HWY_INLINE void store(VF v, Element* p) {
        const hn::Rebind<hwy::float16_t, F> d16;
        hn::StoreU(hn::DemoteTo(d16, v), d16, reinterpret_cast<hwy::float16_t*>(p));
    }
#else
    static HWY_INLINE VF load(const Element* p) {
        const hn::RebindToUnsigned<F> du;
        const hn::RebindToSigned<F> di;
        const hn::Rebind<std::uint16_t, F> d16;
        const auto bits = hn::PromoteTo(du, hn::LoadU(d16, p));
        const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
        const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
        const auto normal = hn::Add(hn::ShiftLeft<13>(magnitude), hn::Set(du, (127u - 15u) << 23));
        const auto subnormal =
            hn::BitCast(du, hn::Mul(hn::ConvertTo(F(), hn::BitCast(di, magnitude)), hn::Set(F(), 0x1p-24f)));
        const auto special = hn::Or(hn::ShiftLeft<13>(magnitude), hn::Set(du, 0x7F800000u));
        const auto quiet = hn::IfThenElseZero(hn::Gt(magnitude, hn::Set(du, 0x7C00u)), hn::Set(du, 0x00400000u));
        auto value = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 0x0400u)), subnormal, normal);
        value = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7BFFu)), hn::Or(special, quiet), value);
        return hn::BitCast(F(), hn::Or(value, sign));
    }
    static HWY_INLINE void store(VF v, Element* p) {
        const hn::RebindToUnsigned<F> du;
        const hn::RebindToSigned<F> di;
        const hn::Rebind<std::uint16_t, F> d16;
        const auto bits = hn::BitCast(du, v);
        const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 0x8000u));
        const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFu));
        const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
        // Wraps round for magnitudes below 2^-14, which take the other branch.
        const auto rebased = hn::Sub(magnitude, hn::Set(du, (127u - 15u) << 23));
        const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(rebased, hn::Set(du, 0xFFFu)), odd));
        const auto rounded = hn::Add(hn::BitCast(F(), magnitude), hn::Set(F(), 0.5f));
        const auto subnormal = hn::Sub(hn::BitCast(du, rounded), hn::Set(du, 0x3F000000u));
        const auto nan = hn::Or(hn::Set(du, 0x7E00u), hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 0x1FFu)));
        auto half = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 0x38800000u)), subnormal, normal);
        half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x477FEFFFu)), hn::Set(du, 0x7C00u), half);
        half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7F800000u)), nan, half);
        hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, hn::Or(half, sign))), d16, p);
    }
#endif
};

struct BFloat16 {
    using Element = std::uint16_t;
    static float scalarLoad(const Element* p) { return tensor::floatFromBfloat(*p); }
    static void scalarStore(float v, Element* p) { *p = tensor::bfloatFromFloat(v); }

    static HWY_INLINE VF load(const Element* p) {
        const hn::RebindToUnsigned<F> du;
        const hn::Rebind<std::uint16_t, F> d16;
        const auto bits = hn::ShiftLeft<16>(hn::PromoteTo(du, hn::LoadU(d16, p)));
        const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFu));
        const auto quiet = hn::IfThenElseZero(hn::Gt(magnitude, hn::Set(du, 0x7F800000u)), hn::Set(du, 0x00400000u));
        return hn::BitCast(F(), hn::Or(bits, quiet));
    }
    static HWY_INLINE void store(VF v, Element* p) {
        const hn::RebindToUnsigned<F> du;
        const hn::RebindToSigned<F> di;
        const hn::Rebind<std::uint16_t, F> d16;
        const auto bits = hn::BitCast(du, v);
        const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFu));
        const auto upper = hn::ShiftRight<16>(bits);
        const auto odd = hn::And(upper, hn::Set(du, 1u));
        const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(du, 0x7FFFu)), odd));
        const auto nan = hn::Or(upper, hn::Set(du, 0x0040u));
        const auto result = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7F800000u)), nan, rounded);
        hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, result)), d16, p);
    }
};

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();
#endif
