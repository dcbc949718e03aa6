// How a kernel walks the channels of a row: four vectors at a time, so that sums have four independent chains, then
// two, one vector, then single channels. Included once for each instruction set, like lanes-inl.h.
#if defined(HALFSTEP_CHANNEL_GROUPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFSTEP_CHANNEL_GROUPS_INL_H_
#undef HALFSTEP_CHANNEL_GROUPS_INL_H_
#else
#define HALFSTEP_CHANNEL_GROUPS_INL_H_
#endif

#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// totals[i] = sum over rows of what addRow(row, chain) adds to chain[i]; T is a vector or a float.
template <class T, int N, class AddRow>
HWY_INLINE void sumInChains(std::size_t rows, T (&totals)[N], const AddRow& addRow) {
    for (int i = 0; i < N; ++i) {
        totals[i] = T{};
    }
    for (std::size_t first = 0; first < rows; first += kRowChain) {
        const std::size_t end = first + kRowChain < rows ? first + kRowChain : rows;
        T chain[N]{};
        for (std::size_t row = first; row < end; ++row) {
            addRow(row, chain);
        }
        for (int i = 0; i < N; ++i) {
            totals[i] = totals[i] + chain[i];
        }
    }
}

/// `kernel` has vectors<V>(firstChannel) for V = 4, 2 and 1, and scalar(channel).
template <class Kernel>
HWY_INLINE void forChannelGroups(const Kernel& kernel, std::size_t channels) {
    const std::size_t lanes = hn::Lanes(F());
    std::size_t c = 0;
    for (; c + 4 * lanes <= channels; c += 4 * lanes) {
        kernel.template vectors<4>(c);
    }
    for (; c + 2 * lanes <= channels; c += 2 * lanes) { // the first layer's 32 channels in one walk with AVX-512
        kernel.template vectors<2>(c);
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
