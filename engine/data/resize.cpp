#include "engine/data/resize.h"
#include "engine/data/pixel_rows.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace halfstep::data {
namespace {

std::vector<Tap> tapsOf(int in, int out) {
    std::vector<Tap> taps(static_cast<std::size_t>(out));
    const float scale = static_cast<float>(in) / static_cast<float>(out);
    for (int i = 0; i < out; ++i) {
        const float source = (static_cast<float>(i) + 0.5F) * scale - 0.5F;
        const float below = std::floor(source);
        taps[static_cast<std::size_t>(i)] = {std::max(static_cast<int>(below), 0),
                                             std::min(static_cast<int>(std::ceil(source)), in - 1), source - below};
    }
    return taps;
}

/// One source row stretched to the new width: [taps.size(), channels].
template <class Value>
void stretchRow(const Value* row, const std::vector<Tap>& taps, int channels, float* out) {
    for (const Tap& tap : taps) {
        const Value* low = row + static_cast<std::ptrdiff_t>(tap.low) * channels;
        const Value* high = row + static_cast<std::ptrdiff_t>(tap.high) * channels;
        for (int c = 0; c < channels; ++c) {
            const auto left = static_cast<float>(low[c]);
            *out++ = left + (static_cast<float>(high[c]) - left) * tap.share;
        }
    }
}

} // namespace

std::vector<float> resizeBilinear(std::span<const float> pixels, int height, int width, int channels, int newHeight,
                                  int newWidth) {
    const auto rowLength = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
    if (height < 1 || width < 1 || channels < 1 || newHeight < 1 || newWidth < 1 ||
        pixels.size() != rowLength * static_cast<std::size_t>(height)) {
        throw ShapeError("resizeBilinear: the pixels are not [height, width, channels], or a side is below 1");
    }
    const auto rows = tapsOf(height, newHeight);
    const auto columns = tapsOf(width, newWidth);
    const auto newLength = static_cast<std::size_t>(newWidth) * static_cast<std::size_t>(channels);
    std::vector<float> upper(newLength), lower(newLength), result;
    result.reserve(newLength * rows.size());
    for (const Tap& tap : rows) {
        stretchRow(pixels.data() + static_cast<std::size_t>(tap.low) * rowLength, columns, channels, upper.data());
        stretchRow(pixels.data() + static_cast<std::size_t>(tap.high) * rowLength, columns, channels, lower.data());
        for (std::size_t i = 0; i < newLength; ++i) {
            result.push_back(upper[i] + (lower[i] - upper[i]) * tap.share);
        }
    }
    return result;
}

void resizeToBytes(std::span<const std::uint8_t> pixels, int height, int width, int size,
                   std::span<std::uint8_t> target) {
    const auto rowLength = static_cast<std::size_t>(width) * 3;
    const auto newLength = static_cast<std::size_t>(size) * 3;
    if (height < 1 || width < 1 || size < 1 || pixels.size() != rowLength * static_cast<std::size_t>(height) ||
        target.size() != newLength * static_cast<std::size_t>(size)) {
        throw ShapeError(
            "resizeToBytes: the pixels are not [height, width, 3], or the target is not [size, size, 3]");
    }
    const auto rows = tapsOf(height, size);
    const auto columns = tapsOf(width, size);
    // The two source rows that a target row lies between, stretched; when enlarging, most are used again.
    std::array<std::vector<float>, 2> stretched{std::vector<float>(newLength + 1), std::vector<float>(newLength + 1)};
    std::array<int, 2> held{-1, -1};
    std::vector<float> source(rowLength + 1);
    const auto rowAt = [&](int y, std::size_t keep) -> std::size_t {
        for (std::size_t slot = 0; slot < 2; ++slot) {
            if (held[slot] == y) {
                return slot;
            }
        }
        const std::size_t slot = 1 - keep;
        const std::uint8_t* row = pixels.data() + static_cast<std::size_t>(y) * rowLength;
        std::copy(row, row + rowLength, source.begin());
        stretchRgbRow(source.data(), columns, stretched[slot].data());
        held[slot] = y;
        return slot;
    };
    for (std::size_t y = 0; y < rows.size(); ++y) {
        const std::size_t low = rowAt(rows[y].low, held[0] == rows[y].high ? 0 : 1);
        const std::size_t high = rowAt(rows[y].high, low);
        blendAndRound(stretched[low].data(), stretched[high].data(), rows[y].share, newLength,
                      target.data() + y * newLength);
    }
}

} // namespace halfstep::data
