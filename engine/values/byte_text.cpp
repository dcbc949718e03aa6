#include "engine/values/byte_text.h"
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::values {
namespace {

struct ByteUnit {
    std::string_view name;
    double bytes;
};
constexpr std::array kByteUnits{
    ByteUnit{"", 1},         ByteUnit{"B", 1},        ByteUnit{"kB", 1e3},     ByteUnit{"KB", 1e3},
    ByteUnit{"MB", 1e6},     ByteUnit{"GB", 1e9},     ByteUnit{"TB", 1e12},    ByteUnit{"KiB", 0x1p10},
    ByteUnit{"MiB", 0x1p20}, ByteUnit{"GiB", 0x1p30}, ByteUnit{"TiB", 0x1p40},
};

} // namespace

std::optional<std::uint64_t> bytesIn(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (unit.starts_with(' ')) {
        unit.remove_prefix(1);
    }
    for (const ByteUnit& known : kByteUnits) {
        const double bytes = std::floor(number * known.bytes);
        if (error == std::errc{} && known.name == unit && bytes >= 1 && bytes < 0x1p63) {
            return static_cast<std::uint64_t>(bytes);
        }
    }
    return std::nullopt;
}

std::string textOfBytes(std::uint64_t bytes) {
    constexpr std::array kNames{"", " KiB", " MiB", " GiB", " TiB"};
    std::size_t unit = 0;
    while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < kNames.size()) {
        bytes /= 1024;
        ++unit;
    }
    return fmt::format("{}{}", bytes, kNames[unit]);
}

} // namespace halfstep::values
