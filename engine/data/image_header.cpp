#include "engine/data/image_header.h"
#include "engine/data/byte_reader.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace halfstep::data {
namespace {

bool startsWith(std::span<const std::uint8_t> bytes, std::string_view magic, std::size_t at = 0) {
    return bytes.size() >= at + magic.size() && std::memcmp(bytes.data() + at, magic.data(), magic.size()) == 0;
}

ImageHeader bmpHeader(const ByteReader& read) {
    const bool oldHeader = read.u32(14) == 12;
    const std::int64_t width = oldHeader ? read.u16(18) : static_cast<std::int32_t>(read.u32(18));
    const std::int64_t height = oldHeader ? read.u16(20) : static_cast<std::int32_t>(read.u32(22));
    return {ImageFormat::Bmp, std::max<std::int64_t>(width, 0), std::abs(height)}; // negative: rows from the top
}

ImageHeader webpHeader(std::span<const std::uint8_t> bytes, const ByteReader& read) {
    ImageHeader header{ImageFormat::WebP};
    if (startsWith(bytes, "VP8X", 12)) {
        header.width = 1 + (read.u32(24) & 0xffffffU);
        header.height = 1 + (read.u16(27) | read.u8(29) << 16U);
    } else if (startsWith(bytes, "VP8L", 12)) {
        header.width = 1 + (read.u32(21) & 0x3fffU);
        header.height = 1 + (read.u32(21) >> 14U & 0x3fffU);
    } else {
        header.width = read.u16(26) & 0x3fffU;
        header.height = read.u16(28) & 0x3fffU;
    }
    return header;
}

ImageHeader tiffHeader(const ByteReader& read) {
    ImageHeader header{ImageFormat::Tiff};
    const std::size_t directory = read.u32(4);
    const std::size_t entries = read.u16(directory);
    for (std::size_t i = 0; i < entries && directory + 2 + 12 * i < read.size(); ++i) {
        const std::size_t entry = directory + 2 + 12 * i;
        const std::int64_t value = read.u16(entry + 2) == 3 ? read.u16(entry + 8) : read.u32(entry + 8);
        if (read.u16(entry) == 256) {
            header.width = value;
        } else if (read.u16(entry) == 257) {
            header.height = value;
        }
    }
    return header;
}

} // namespace

ImageHeader readImageHeader(std::span<const std::uint8_t> bytes) {
    using namespace std::string_view_literals;
    const ByteReader little(bytes, false);
    const ByteReader big(bytes, true);
    if (startsWith(bytes, "\xff\xd8"sv)) {
        return {ImageFormat::Jpeg};
    }
    if (startsWith(bytes, "\x89PNG\r\n\x1a\n"sv)) {
        return {ImageFormat::Png, big.u32(16), big.u32(20)};
    }
    if (startsWith(bytes, "BM"sv) && bytes.size() >= 26) {
        return bmpHeader(little);
    }
    if (startsWith(bytes, "RIFF"sv) && startsWith(bytes, "WEBP"sv, 8)) {
        return webpHeader(bytes, little);
    }
    if (startsWith(bytes, "II*\0"sv)) {
        return tiffHeader(little);
    }
    if (startsWith(bytes, "MM\0*"sv)) {
        return tiffHeader(big);
    }
    if (startsWith(bytes, "GIF87a"sv) || startsWith(bytes, "GIF89a"sv)) {
        return {ImageFormat::Gif, little.u16(6), little.u16(8)};
    }
    return {};
}

std::string formatName(ImageFormat format) {
    switch (format) {
    case ImageFormat::Jpeg:
        return "JPEG";
    case ImageFormat::Png:
        return "PNG";
    case ImageFormat::Bmp:
        return "BMP";
    case ImageFormat::WebP:
        return "WebP";
    case ImageFormat::Tiff:
        return "TIFF";
    case ImageFormat::Gif:
        return "GIF";
    case ImageFormat::Unknown:
        break;
    }
    return "unknown";
}

std::string describeUnknown(std::span<const std::uint8_t> bytes) {
    const auto head = bytes.first(std::min<std::size_t>(bytes.size(), 512));
    if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; })) {
        return "the file holds only zeros";
    }
    const bool text = std::all_of(head.begin(), head.end(),
                                  [](std::uint8_t b) { return b >= 0x20 || b == '\n' || b == '\r' || b == '\t'; });
    if (text) {
        const auto firstMark = std::find_if(head.begin(), head.end(), [](std::uint8_t b) { return b > ' '; });
        return firstMark != head.end() && *firstMark == '<' ? "not a picture but an HTML or XML page"
                                                            : "not a picture but text";
    }
    return "not a picture of a known format (JPEG, PNG, BMP, WebP, TIFF)";
}

} // namespace halfstep::data
