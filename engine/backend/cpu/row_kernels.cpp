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
        const std::size_t lanes = hn::Lanes(d);
        VF totals[V];
        sumInChains(rows, totals, [&](std::size_t row, VF* chain) HWY_ATTR {
            for (int v = 0; v < V; ++v) {
                chain[v] = hn::Add(chain[v], S::load(x + row * c + c0 + v * lanes));
            }
        });
        for (int v = 0; v < V; ++v) {
            hn::StoreU(totals[v], d, sums + c0 + v * lanes);
        }
    }
    void scalar(std::size_t channel) const {
        float totals[1];
        sumInChains(rows, totals,
                    [&](std::size_t row, float* chain) { chain[0] += S::scalarLoad(x + row * c + channel); });
        sums[channel] = totals[0];
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
        const std::size_t lanes = hn::Lanes(d);
        VF totals[V];
        sumInChains(rows, totals, [&](std::size_t row, VF* chain) HWY_ATTR {
            for (int v = 0; v < V; ++v) {
                const std::size_t at = row * c + c0 + v * lanes;
                chain[v] = hn::Add(chain[v], masked(y + at, dy + at));
            }
        });
        for (int v = 0; v < V; ++v) {
            hn::StoreU(totals[v], d, sums + c0 + v * lanes);
        }
    }
    void scalar(std::size_t channel) const {
        float totals[1];
        sumInChains(rows, totals, [&](std::size_t row, float* chain) {
            const std::size_t at = row * c + channel;
            if (S::scalarLoad(y + at) > 0.0f) {
                chain[0] += S::scalarLoad(dy + at);
            } else {
                S::scalarStore(0.0f, dy + at);
            }
        });
        sums[channel] = totals[0];
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
