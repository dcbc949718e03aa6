// How a line of a spectrum, 16 real and 16 imaginary parts, lies in memory: as float32, or as float16 where the CPU
// converts it by itself. Included once for each instruction set, like lanes-inl.h.
#if defined(HALFSTEP_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFSTEP_LINES_INL_H_
#undef HALFSTEP_LINES_INL_H_
#else
#define HALFSTEP_LINES_INL_H_
#endif

#include "engine/backend/cpu/fft/dft-inl.h"
#include <hwy/cache_control.h>

#undef HALFSTEP_HALF_LINES
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define HALFSTEP_HALF_LINES 1
#else
#define HALFSTEP_HALF_LINES 0
#endif

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

struct FullLines {
    using Element = float;
    static constexpr bool kScaled = false; ///< every window has a factor of its own
    static HWY_INLINE VF load(const Element* from) { return hn::Load(F(), from); }
    static HWY_INLINE void stream(VF v, Element* to) { hn::Stream(v, F(), to); }
};

#if HALFSTEP_HALF_LINES
struct HalfLines {
    using Element = std::uint16_t;
    static constexpr bool kScaled = true;
    static HWY_INLINE VF load(const Element* from) { return Float16::load(from); }
    static HWY_INLINE void stream(VF v, Element* to) {
        const hn::Rebind<hwy::float16_t, F> halves;
        const hn::RebindToUnsigned<decltype(halves)> bits;
        hn::Stream(hn::BitCast(bits, hn::DemoteTo(halves, v)), bits, to);
    }
};
#endif

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();
#endif
