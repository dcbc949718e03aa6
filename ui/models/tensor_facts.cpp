#include "ui/models/tensor_facts.h"
#include "engine/tensor/half.h"
#include <algorithm>
#include <cmath>

namespace halfstep::ui {
namespace {

float exactValue(std::uint8_t value) {
    return static_cast<float>(value) / 255.0f;
}

/// stored - exact of all 256 values: a picture has no others.
std::array<double, 256> differences(tensor::DType dtype) {
    std::array<double, 256> table{};
    for (int i = 0; i < 256; ++i) {
        const auto value = static_cast<std::uint8_t>(i);
        table[static_cast<std::size_t>(i)] =
            static_cast<double>(storedValue(value, dtype)) - static_cast<double>(exactValue(value));
    }
    return table;
}

ChannelFacts summarize(const std::array<std::int64_t, 256>& histogram) {
    ChannelFacts facts;
    facts.histogram = histogram;
    double count = 0, sum = 0, squares = 0;
    int lowest = 255, highest = 0;
    for (int i = 0; i < 256; ++i) {
        const auto pixels = static_cast<double>(histogram[static_cast<std::size_t>(i)]);
        if (pixels > 0) {
            lowest = std::min(lowest, i);
            highest = i;
            count += pixels;
            sum += pixels * i;
            squares += pixels * i * i;
        }
    }
    const double mean = sum / count;
    facts.mean = mean / 255.0;
    facts.deviation = std::sqrt(std::max(0.0, squares / count - mean * mean)) / 255.0;
    facts.minimum = lowest / 255.0;
    facts.maximum = highest / 255.0;
    return facts;
}

} // namespace

std::array<ChannelFacts, 3> channelFactsOf(std::span<const std::uint8_t> pixels) {
    std::array<std::array<std::int64_t, 256>, 3> histograms{};
    for (std::size_t i = 0; i + 2 < pixels.size(); i += 3) {
        for (std::size_t channel = 0; channel < 3; ++channel) {
            ++histograms[channel][pixels[i + channel]];
        }
    }
    return {summarize(histograms[0]), summarize(histograms[1]), summarize(histograms[2])};
}

float storedValue(std::uint8_t value, tensor::DType dtype) {
    const float exact = exactValue(value);
    switch (dtype) {
    case tensor::DType::Float16:
        return tensor::floatFromHalf(tensor::halfFromFloat(exact));
    case tensor::DType::BFloat16:
        return tensor::floatFromBfloat(tensor::bfloatFromFloat(exact));
    case tensor::DType::Float32:
        break;
    }
    return exact;
}

StorageDifference storageDifferenceOf(std::span<const std::uint8_t> pixels, tensor::DType dtype) {
    const auto table = differences(dtype);
    StorageDifference result;
    double squares = 0;
    for (const std::uint8_t value : pixels) {
        const double difference = table[value];
        result.largest = std::max(result.largest, std::abs(difference));
        squares += difference * difference;
    }
    result.rms = pixels.empty() ? 0 : std::sqrt(squares / static_cast<double>(pixels.size()));
    return result;
}

int differenceGain(tensor::DType dtype) {
    switch (dtype) {
    case tensor::DType::Float16:
        return 1 << 11; // 11 significant bits: half a unit is 2^-12 between 0.5 and 1
    case tensor::DType::BFloat16:
        return 1 << 8; // 8 significant bits: 2^-9
    case tensor::DType::Float32:
        break;
    }
    return 1;
}

std::vector<std::uint8_t> amplifiedDifference(std::span<const std::uint8_t> pixels, tensor::DType dtype, int gain) {
    const auto table = differences(dtype);
    std::array<std::uint8_t, 256> shown{};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        shown[i] = static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(0.5 + gain * table[i], 0.0, 1.0)));
    }
    std::vector<std::uint8_t> picture(pixels.size());
    std::transform(pixels.begin(), pixels.end(), picture.begin(), [&](std::uint8_t value) { return shown[value]; });
    return picture;
}

} // namespace halfstep::ui
