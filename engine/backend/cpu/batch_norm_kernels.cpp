// Batch-normalization kernels over the rows of an NHWC block. Lanes run along the channels.
#include "engine/backend/cpu/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/batch_norm_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/channel_groups-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// Two passes over a block that fits in the cache: the squares are of differences from the block's own mean, so their
/// sum is never negative and does not cancel.
template <class S>
struct BlockMoments {
    const typename S::Element* x;
    std::size_t rows, c;
    const float* pivot;
    float *offset, *squares;

    template <int V>
    void vectors(std::size_t c0) const {
        const F d;
        const std::size_t lanes = hn::Lanes(d);
        VF mean[V], totals[V];
        for (int v = 0; v < V; ++v) {
            mean[v] = hn::LoadU(d, pivot + c0 + v * lanes);
        }
        sumInChains(rows, totals, [&](std::size_t row, VF* chain) HWY_ATTR {
            for (int v = 0; v < V; ++v) {
                chain[v] = hn::Add(chain[v], hn::Sub(S::load(x + row * c + c0 + v * lanes), mean[v]));
            }
        });
        for (int v = 0; v < V; ++v) {
            const VF delta = hn::Div(totals[v], hn::Set(d, static_cast<float>(rows)));
            hn::StoreU(delta, d, offset + c0 + v * lanes);
            mean[v] = hn::Add(mean[v], delta);
        }
        sumInChains(rows, totals, [&](std::size_t row, VF* chain) HWY_ATTR {
            for (int v = 0; v < V; ++v) {
                const VF delta = hn::Sub(S::load(x + row * c + c0 + v * lanes), mean[v]);
                chain[v] = hn::MulAdd(delta, delta, chain[v]);
            }
        });
        for (int v = 0; v < V; ++v) {
            hn::StoreU(totals[v], d, squares + c0 + v * lanes);
        }
    }
    void scalar(std::size_t channel) const {
        float totals[1];
        sumInChains(rows, totals, [&](std::size_t row, float* chain) {
            chain[0] += S::scalarLoad(x + row * c + channel) - pivot[channel];
        });
        offset[channel] = totals[0] / static_cast<float>(rows);
        const float mean = pivot[channel] + offset[channel];
        sumInChains(rows, totals, [&](std::size_t row, float* chain) {
            const float delta = S::scalarLoad(x + row * c + channel) - mean;
            chain[0] += delta * delta;
        });
        squares[channel] = totals[0];
    }
};

template <class S>
void blockMoments(const void* x, std::size_t rows, std::size_t c, const float* pivot, float* offset, float* squares) {
    forChannelGroups(BlockMoments<S>{static_cast<const typename S::Element*>(x), rows, c, pivot, offset, squares}, c);
}

template <class S>
void normalizeRows(const void* x, std::size_t rows, std::size_t c, const float* mean, const float* scale,
                   const float* beta, void* y) {
    const auto* from = static_cast<const typename S::Element*>(x);
    auto* to = static_cast<typename S::Element*>(y);
    const F d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t at = row * c;
        std::size_t i = 0;
        for (; i + lanes <= c; i += lanes) {
            const VF delta = hn::Sub(S::load(from + at + i), hn::LoadU(d, mean + i));
            S::store(hn::MulAdd(delta, hn::LoadU(d, scale + i), hn::LoadU(d, beta + i)), to + at + i);
        }
        for (; i < c; ++i) {
            S::scalarStore((S::scalarLoad(from + at + i) - mean[i]) * scale[i] + beta[i], to + at + i);
        }
    }
}

template <class S>
struct BatchNormSums {
    const typename S::Element *x, *dy;
    std::size_t rows, c;
    const float *mean, *invStd;
    float *sumDy, *sumDyXhat;

    template <int V>
    void vectors(std::size_t c0) const {
        const F d;
        const std::size_t lanes = hn::Lanes(d);
        VF m[V], totals[2 * V]; // of dy, then of dy (x - mean)
        for (int v = 0; v < V; ++v) {
            m[v] = hn::LoadU(d, mean + c0 + v * lanes);
        }
        sumInChains(rows, totals, [&](std::size_t row, VF* chain) HWY_ATTR {
            for (int v = 0; v < V; ++v) {
                const std::size_t at = row * c + c0 + v * lanes;
                const VF g = S::load(dy + at);
                chain[v] = hn::Add(chain[v], g);
                chain[V + v] = hn::MulAdd(g, hn::Sub(S::load(x + at), m[v]), chain[V + v]);
            }
        });
        for (int v = 0; v < V; ++v) {
            hn::StoreU(totals[v], d, sumDy + c0 + v * lanes);
            hn::StoreU(hn::Mul(totals[V + v], hn::LoadU(d, invStd + c0 + v * lanes)), d, sumDyXhat + c0 + v * lanes);
        }
    }
    void scalar(std::size_t channel) const {
        float totals[2];
        sumInChains(rows, totals, [&](std::size_t row, float* chain) {
            const std::size_t at = row * c + channel;
            const float g = S::scalarLoad(dy + at);
            chain[0] += g;
            chain[1] += g * (S::scalarLoad(x + at) - mean[channel]);
        });
        sumDy[channel] = totals[0];
        sumDyXhat[channel] = totals[1] * invStd[channel];
    }
};

template <class S>
void batchNormSums(const void* x, const void* dy, std::size_t rows, std::size_t c, const float* mean,
                   const float* invStd, float* sumDy, float* sumDyXhat) {
    using Element = typename S::Element;
    forChannelGroups(BatchNormSums<S>{static_cast<const Element*>(x), static_cast<const Element*>(dy), rows, c, mean,
                                      invStd, sumDy, sumDyXhat},
                     c);
}

template <class S>
void batchNormBackwardRows(const void* x, const void* dy, std::size_t rows, std::size_t c, const float* mean,
                           const float* scale, const float* meanDy, const float* slope, void* dx) {
    const auto* input = static_cast<const typename S::Element*>(x);
    const auto* gradient = static_cast<const typename S::Element*>(dy);
    auto* to = static_cast<typename S::Element*>(dx);
    const F d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t at = row * c;
        std::size_t i = 0;
        for (; i + lanes <= c; i += lanes) {
            const VF delta = hn::Sub(S::load(input + at + i), hn::LoadU(d, mean + i));
            const VF g = hn::Sub(S::load(gradient + at + i), hn::LoadU(d, meanDy + i));
            const VF inner = hn::NegMulAdd(delta, hn::LoadU(d, slope + i), g);
            S::store(hn::Mul(inner, hn::LoadU(d, scale + i)), to + at + i);
        }
        for (; i < c; ++i) {
            const float delta = S::scalarLoad(input + at + i) - mean[i];
            const float g = S::scalarLoad(gradient + at + i) - meanDy[i];
            S::scalarStore((g - delta * slope[i]) * scale[i], to + at + i);
        }
    }
}

/// batchNormBackwardRows, then ReluBackward on what it stored, to the bit.
template <class S>
struct BatchNormReluBackward {
    const typename S::Element *x, *dy;
    std::size_t rows, c;
    const float *mean, *scale, *meanDy, *slope;
    typename S::Element* dx;
    float* sums;

    template <int V>
    void vectors(std::size_t c0) const {
        const F d;
        const std::size_t lanes = hn::Lanes(d);
        VF means[V], scales[V], meanDys[V], slopes[V], totals[V];
        for (int v = 0; v < V; ++v) {
            means[v] = hn::LoadU(d, mean + c0 + v * lanes);
            scales[v] = hn::LoadU(d, scale + c0 + v * lanes);
            meanDys[v] = hn::LoadU(d, meanDy + c0 + v * lanes);
            slopes[v] = hn::LoadU(d, slope + c0 + v * lanes);
        }
        sumInChains(rows, totals, [&](std::size_t row, VF* chain) HWY_ATTR {
            for (int v = 0; v < V; ++v) {
                const std::size_t at = row * c + c0 + v * lanes;
                const VF input = S::load(x + at);
                const VF g = hn::Sub(S::load(dy + at), meanDys[v]);
                const VF inner = hn::NegMulAdd(hn::Sub(input, means[v]), slopes[v], g);
                const VF passed = hn::IfThenElseZero(hn::Gt(input, hn::Zero(d)), hn::Mul(inner, scales[v]));
                S::store(passed, dx + at);
                chain[v] = hn::Add(chain[v], S::load(dx + at));
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
            const float input = S::scalarLoad(x + at);
            const float g = S::scalarLoad(dy + at) - meanDy[channel];
            const float inner = g - (input - mean[channel]) * slope[channel];
            S::scalarStore(input > 0.0f ? inner * scale[channel] : 0.0f, dx + at);
            chain[0] += S::scalarLoad(dx + at);
        });
        sums[channel] = totals[0];
    }
};

template <class S>
void batchNormReluBackwardRows(const void* x, const void* dy, std::size_t rows, std::size_t c, const float* mean,
                               const float* scale, const float* meanDy, const float* slope, void* dx, float* sums) {
    using Element = typename S::Element;
    forChannelGroups(BatchNormReluBackward<S>{static_cast<const Element*>(x), static_cast<const Element*>(dy), rows,
                                              c, mean, scale, meanDy, slope, static_cast<Element*>(dx), sums},
                     c);
}

template <class S>
void fillBatchNormOf(StorageKernels& table) {
    table.blockMoments = &blockMoments<S>;
    table.normalizeRows = &normalizeRows<S>;
    table.batchNormSums = &batchNormSums<S>;
    table.batchNormBackwardRows = &batchNormBackwardRows<S>;
    table.batchNormReluBackwardRows = &batchNormReluBackwardRows<S>;
}

void FillBatchNorm(Kernels& kernels) {
    fillBatchNormOf<Float32>(kernels.storage[0]);
    fillBatchNormOf<Float16>(kernels.storage[1]);
    fillBatchNormOf<BFloat16>(kernels.storage[2]);
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillBatchNorm);
void fillBatchNormKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillBatchNorm)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
