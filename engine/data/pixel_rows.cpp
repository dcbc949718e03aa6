#include "engine/data/pixel_rows.h"
#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/data/pixel_rows.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace halfstep::data::HWY_NAMESPACE {

void addPixels(const std::uint8_t* pixels, std::size_t count, PixelSums& sums) {
    for (std::size_t i = 0; i < 3 * count; ++i) {
        sums.sum[i % 3] += pixels[i];
        sums.squares[i % 3] += static_cast<std::uint64_t>(pixels[i]) * pixels[i];
    }
}

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

PixelSums pixelSums(const std::uint8_t* pixels, std::size_t count) {
    PixelSums sums;
    addPixels(pixels, count, sums);
    return sums;
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// Mul and Add, not MulAdd: its single rounding would make the result depend on the instruction set.

void stretchRows(const float* row, std::span<const Tap> taps, float* out) {
    const hn::FixedTag<float, 4> lanes;
    for (const Tap& tap : taps) {
        const auto low = hn::LoadU(lanes, row + 3 * static_cast<std::size_t>(tap.low));
        const auto high = hn::LoadU(lanes, row + 3 * static_cast<std::size_t>(tap.high));
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

PixelSums pixelSums(const std::uint8_t* pixels, std::size_t count) {
    const hn::ScalableTag<std::uint8_t> bytes;
    const hn::Half<decltype(bytes)> half;
    const hn::Rebind<std::int16_t, decltype(half)> words;
    const hn::RepartitionToWide<decltype(words)> sums32;
    const hn::RepartitionToWide<hn::RepartitionToWide<hn::RepartitionToWide<decltype(bytes)>>> sums64;
    const std::size_t lanes = hn::Lanes(bytes);
    PixelSums sums;
    std::size_t i = 0;
    while (i + lanes <= count) {
        // A 32-bit lane takes 4 squares a round: 1024 rounds stay below 2^31.
        const std::size_t end = std::min(count, i + 1024 * lanes);
        std::array<hn::Vec<decltype(sums64)>, 3> sum{hn::Zero(sums64), hn::Zero(sums64), hn::Zero(sums64)};
        std::array<hn::Vec<decltype(sums32)>, 3> squares{hn::Zero(sums32), hn::Zero(sums32), hn::Zero(sums32)};
        for (; i + lanes <= end; i += lanes) {
            hn::Vec<decltype(bytes)> r, g, b;
            hn::LoadInterleaved3(bytes, pixels + 3 * i, r, g, b);
            const auto add = [&](std::size_t c, hn::Vec<decltype(bytes)> v) {
                sum[c] = hn::Add(sum[c], hn::SumsOf8(v));
                const auto low = hn::PromoteTo(words, hn::LowerHalf(half, v));
                const auto high = hn::PromoteTo(words, hn::UpperHalf(half, v));
                auto odd = hn::Zero(sums32);
                squares[c] = hn::ReorderWidenMulAccumulate(sums32, low, low, squares[c], odd);
                squares[c] = hn::ReorderWidenMulAccumulate(sums32, high, high, squares[c], odd);
                squares[c] = hn::Add(squares[c], odd);
            };
            add(0, r);
            add(1, g);
            add(2, b);
        }
        for (std::size_t c = 0; c < 3; ++c) {
            sums.sum[c] += hn::GetLane(hn::SumOfLanes(sums64, sum[c]));
            HWY_ALIGN std::array<std::int32_t, HWY_MAX_BYTES / 4> parts{};
            hn::Store(squares[c], sums32, parts.data());
            for (std::size_t k = 0; k < hn::Lanes(sums32); ++k) {
                sums.squares[c] += static_cast<std::uint64_t>(parts[k]);
            }
        }
    }
    addPixels(pixels + 3 * i, count - i, sums);
    return sums;
}

#endif

} // namespace halfstep::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace halfstep::data {

HWY_EXPORT(stretchRows);
HWY_EXPORT(blend);
HWY_EXPORT(pixelSums);

void stretchRgbRow(const float* row, std::span<const Tap> taps, float* out) {
    HWY_DYNAMIC_DISPATCH(stretchRows)(row, taps, out);
}

void blendAndRound(const float* upper, const float* lower, float share, std::size_t count, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(blend)(upper, lower, share, count, out);
}

PixelSums sumsOf(std::span<const std::uint8_t> pixels) {
    return HWY_DYNAMIC_DISPATCH(pixelSums)(pixels.data(), pixels.size() / 3);
}

} // namespace halfstep::data

#endif
