// Counts the elements of a tensor by binary exponent.
#include "engine/backend/cpu/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu/exponent_kernels.cpp"
#include <hwy/foreach_target.h>
// clang-format off: foreach_target comes first
#include "engine/backend/cpu/lanes-inl.h"
// clang-format on
#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

constexpr std::size_t kPart = 1024; // elements whose magnitudes stay in the first-level cache
constexpr std::uint32_t kInfinity = 0x7F800000u;
constexpr std::uint32_t kSmallestNormal = 0x00800000u;

/// Magnitude bits of `count` elements as float32; true if subnormal or non-finite ones are among them, which the
/// exponent field does not tell apart.
template <class S>
bool loadMagnitudes(const typename S::Element* x, std::size_t count, std::uint32_t* magnitudes,
                    std::uint32_t& largest) {
    const F d;
    const hn::RebindToUnsigned<F> du;
    const hn::RebindToSigned<F> di; // magnitudes fit: their sign bit is 0, and SSE compares signed numbers faster
    const auto sign = hn::Set(di, 0x7FFFFFFF);
    const auto infinity = hn::Set(di, static_cast<std::int32_t>(kInfinity));
    auto most = hn::Zero(di);
    auto odd = hn::MaskFromVec(hn::Zero(di));
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
        const auto magnitude = hn::And(hn::BitCast(di, S::load(x + i)), sign);
        hn::StoreU(hn::BitCast(du, magnitude), du, magnitudes + i);
        const auto finite = hn::Lt(magnitude, infinity);
        most = hn::Max(most, hn::IfThenElseZero(finite, magnitude));
        const auto subnormal =
            hn::And(hn::Gt(magnitude, hn::Zero(di)), hn::Lt(magnitude, hn::Set(di, std::int32_t{kSmallestNormal})));
        odd = hn::Or(odd, hn::Or(hn::Not(finite), subnormal));
    }
    bool found = !hn::AllFalse(di, odd);
    largest = std::max(largest, static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(di, most))));
    for (; i < count; ++i) {
        const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(S::scalarLoad(x + i)) & 0x7FFFFFFFu;
        magnitudes[i] = magnitude;
        if (magnitude < kInfinity) {
            largest = std::max(largest, magnitude);
        }
        found = found || magnitude >= kInfinity || (magnitude > 0 && magnitude < kSmallestNormal);
    }
    return found;
}

void countOdd(const std::uint32_t* magnitudes, std::size_t count, ExponentCounts& counts) {
    for (std::size_t i = 0; i < count; ++i) {
        if (magnitudes[i] > kInfinity) {
            ++counts.nans;
        } else if (magnitudes[i] > 0 && magnitudes[i] < kSmallestNormal) {
            ++counts.subnormals[static_cast<std::size_t>(std::bit_width(magnitudes[i]) - 1)];
            --counts.fields[0]; // where the pass over the fields puts it: what is left there are zeros
        }
    }
}

template <class S>
void countExponents(const void* x, std::size_t n, ExponentCounts& counts) {
    const auto* from = static_cast<const typename S::Element*>(x);
    std::uint32_t magnitudes[kPart];
    // Neighbours often have one exponent (zeros above all): four tables, so that no increment waits for the last.
    std::uint32_t tables[4][256] = {};
    for (std::size_t done = 0; done < n; done += kPart) {
        const std::size_t part = std::min(kPart, n - done);
        if (loadMagnitudes<S>(from + done, part, magnitudes, counts.largest)) {
            countOdd(magnitudes, part, counts);
        }
        std::size_t i = 0;
        for (; i + 4 <= part; i += 4) {
            ++tables[0][magnitudes[i] >> 23];
            ++tables[1][magnitudes[i + 1] >> 23];
            ++tables[2][magnitudes[i + 2] >> 23];
            ++tables[3][magnitudes[i + 3] >> 23];
        }
        for (; i < part; ++i) {
            ++tables[0][magnitudes[i] >> 23];
        }
    }
    for (std::size_t field = 0; field < counts.fields.size(); ++field) {
        counts.fields[field] += tables[0][field] + tables[1][field] + tables[2][field] + tables[3][field];
    }
}

void FillExponents(Kernels& kernels) {
    kernels.storage[0].countExponents = &countExponents<Float32>;
    kernels.storage[1].countExponents = &countExponents<Float16>;
    kernels.storage[2].countExponents = &countExponents<BFloat16>;
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfstep::backend::cpu {
HWY_EXPORT(FillExponents);
void fillExponentKernels(Kernels& kernels) {
    HWY_DYNAMIC_DISPATCH(FillExponents)(kernels);
}
} // namespace halfstep::backend::cpu
#endif
