// Kernels over the rows of an NHWC block: sums, broadcasts and the gradient of ReLU. Lanes run along the channels.
#include "engine/backend/cpu/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/row_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/channel_groups-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

template <class S>
struct SumRows {
    const typename S::Element* x;
    std::size_t rows, c;
    float* sums;

    template <int V>
    void vectors(std::size_t c0) const {
        const F d;
        VF acc0 = hn::Zero(d), acc1 = acc0, acc2 = acc0, acc3 = acc0;
        const std::size_t lanes = hn::Lanes(d);
        for (std::size_t row = 0; row < rows; ++row) {
            const auto* p = x + row * c + c0;
            acc0 = hn::Add(acc0, S::load(p));
            if constexpr (V == 4) {
                acc1 = hn::Add(acc1, S::load(p + lanes));
                acc2 = hn::Add(acc2, S::load(p + 2 * lanes));
                acc3 = hn::Add(acc3, S::load(p + 3 * lanes));
            }
        }
        hn::StoreU(acc0, d, sums + c0);
        if constexpr (V == 4) {
            hn::StoreU(acc1, d, sums + c0 + lanes);
            hn::StoreU(acc2, d, sums + c0 + 2 * lanes);
            hn::StoreU(acc3, d, sums + c0 + 3 * lanes);
        }
    }
    void scalar(std::size_t channel) const {
        float acc = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            acc += S::scalarLoad(x + row * c + channel);
        }
        sums[channel] = acc;
    }
};

template <class S>
void sumRows(const void* x, std::size_t rows, std::size_t c, float* sums) {
    forChannelGroups(SumRows<S>{static_cast<const typename S::Element*>(x), rows, c, sums}, c);
}

template <class S>
void fillRows(const float* values, std::size_t rows, std::size_t c, void* y) {
    auto* to = static_cast<typename S::Element*>(y);
    const F d;
    for (std::size_t row = 0; row < rows; ++row) {
        std::size_t i = 0;
        for (; i + hn::Lanes(d) <= c; i += hn::Lanes(d)) {
            S::store(hn::LoadU(d, values + i), to + row * c + i);
        }
        for (; i < c; ++i) {
            S::scalarStore(values[i], to + row * c + i);
        }
    }
}

template <class S>
struct ReluBackward {
    const typename S::Element* y;
    typename S::Element* dy;
    std::size_t rows, c;
    float* sums;

    static HWY_INLINE VF masked(const typename S::Element* yp, typename S::Element* dyp) {
        const VF v = hn::IfThenElseZero(hn::Gt(S::load(yp), hn::Zero(F())), S::load(dyp));
        S::store(v, dyp); // exact: v was read from S
        return v;
    }
    template <int V>
    void vectors(std::size_t c0) const {
        const F d;
        VF acc0 = hn::Zero(d), acc1 = acc0, acc2 = acc0, acc3 = acc0;
        const std::size_t lanes = hn::Lanes(d);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t at = row * c + c0;
            acc0 = hn::Add(acc0, masked(y + at, dy + at));
            if constexpr (V == 4) {
                acc1 = hn::Add(acc1, masked(y + at + lanes, dy + at + lanes));
                acc2 = hn::Add(acc2, masked(y + at + 2 * lanes, dy + at + 2 * lanes));
                acc3 = hn::Add(acc3, masked(y + at + 3 * lanes, dy + at + 3 * lanes));
            }
        }
        hn::StoreU(acc0, d, sums + c0);
        if constexpr (V == 4) {
            hn::StoreU(acc1, d, sums + c0 + lanes);
            hn::StoreU(acc2, d, sums + c0 + 2 * lanes);
            hn::StoreU(acc3, d, sums + c0 + 3 * lanes);
        }
    }
    void scalar(std::size_t channel) const {
        float acc = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t at = row * c + channel;
            if (S::scalarLoad(y + at) > 0.0f) {
                acc += S::scalarLoad(dy + at);
            } else {
                S::scalarStore(0.0f, dy + at);
            }
        }
        sums[channel] = acc;
    }
};

template <class S>
void reluBackwardRows(const void* y, void* dy, std::size_t rows, std::size_t c, float* sums) {
    using Element = typename S::Element;
    forChannelGroups(ReluBackward<S>{static_cast<const Element*>(y), static_cast<Element*>(dy), rows, c, sums}, c);
}

template <class S>
void fillRowsOf(StorageKernels& table) {
    table.sumRows = &sumRows<S>;
    table.fillRows = &fillRows<S>;
    table.reluBackwardRows = &reluBackwardRows<S>;
}

void FillRows(Kernels& kernels) {
    fillRowsOf<Float32>(kernels.storage[0]);
    fillRowsOf<Float16>(kernels.storage[1]);
    fillRowsOf<BFloat16>(kernels.storage[2]);
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillRows);
void fillRowKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillRows)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
