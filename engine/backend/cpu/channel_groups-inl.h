// How a kernel walks the channels of a row: four vectors at a time, so that sums have four independent chains, then
// one vector, then single channels. Included once for each instruction set, like lanes-inl.h.
#if defined(HALFSTEP_CHANNEL_GROUPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFSTEP_CHANNEL_GROUPS_INL_H_
#undef HALFSTEP_CHANNEL_GROUPS_INL_H_
#else
#define HALFSTEP_CHANNEL_GROUPS_INL_H_
#endif

#include "engine/backend/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// `kernel` has vectors<V>(firstChannel) for V = 4 and 1, and scalar(channel).
template <class Kernel>
HWY_INLINE void forChannelGroups(const Kernel& kernel, std::size_t channels) {
    const std::size_t lanes = hn::Lanes(F());
    std::size_t c = 0;
    for (; c + 4 * lanes <= channels; c += 4 * lanes) {
        kernel.template vectors<4>(c);
    }
    for (; c + lanes <= channels; c += lanes) {
        kernel.template vectors<1>(c);
    }
    for (; c < channels; ++c) {
        kernel.scalar(c);
    }
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();
#endif
