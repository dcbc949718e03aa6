#include "engine/data/resize_rows.h"
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/data/resize_rows.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace halfstep::data::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void stretchRows(const float* row, std::span<const Tap> taps, float* out) {
    for (const Tap& tap : taps) {
        for (int c = 0; c < 3; ++c) {
            const float low = row[3 * tap.low + c];
            *out++ = low + (row[3 * tap.high + c] - low) * tap.share;
        }
    }
}

void blend(const float* upper, const float* lower, float share, std::size_t count, std::uint8_t* out) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = static_cast<std::uint8_t>(std::lrint(upper[i] + (lower[i] - upper[i]) * share));
    }
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// Mul and Add, not MulAdd: its single rounding would make the result depend on the instruction set.

void stretchRows(const float* row, std::span<const Tap> taps, float* out) {
    const hn::FixedTag<float, 4> lanes;
    for (const Tap& tap : taps) {
        const auto low = hn::LoadU(lanes, row + static_cast<std::ptrdiff_t>(tap.low) * 3);
        const auto high = hn::LoadU(lanes, row + static_cast<std::ptrdiff_t>(tap.high) * 3);
        hn::StoreU(hn::Add(low, hn::Mul(hn::Sub(high, low), hn::Set(lanes, tap.share))), lanes, out);
        out += 3;
    }
}

void blend(const float* upper, const float* lower, float share, std::size_t count, std::uint8_t* out) {
    const hn::ScalableTag<float> lanes;
    const hn::Rebind<std::uint8_t, decltype(lanes)> bytes;
    const auto weight = hn::Set(lanes, share);
    std::size_t i = 0;
    for (; i + hn::Lanes(lanes) <= count; i += hn::Lanes(lanes)) {
        const auto top = hn::LoadU(lanes, upper + i);
        const auto bottom = hn::LoadU(lanes, lower + i);
        const auto value = hn::Add(top, hn::Mul(hn::Sub(bottom, top), weight));
        hn::StoreU(hn::DemoteTo(bytes, hn::NearestInt(value)), bytes, out + i);
    }
    for (; i < count; ++i) {
        out[i] = static_cast<std::uint8_t>(std::lrint(upper[i] + (lower[i] - upper[i]) * share));
    }
}

#endif

} // namespace halfstep::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace halfstep::data {

HWY_EXPORT(stretchRows);
HWY_EXPORT(blend);

void stretchRgbRow(const float* row, std::span<const Tap> taps, float* out) {
    HWY_DYNAMIC_DISPATCH(stretchRows)(row, taps, out);
}

void blendAndRound(const float* upper, const float* lower, float share, std::size_t count, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(blend)(upper, lower, share, count, out);
}

} // namespace halfstep::data

#endif
