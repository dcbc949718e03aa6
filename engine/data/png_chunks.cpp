#include "engine/data/png_chunks.h"
#include "engine/data/byte_reader.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace halfstep::data {
namespace {

constexpr std::array<std::uint32_t, 256> makeCrcTable() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) {
            value = (value & 1U) != 0 ? 0xedb88320U ^ value >> 1U : value >> 1U;
        }
        table[i] = value;
    }
    return table;
}

std::uint32_t crc32(std::span<const std::uint8_t> bytes) {
    static constexpr auto table = makeCrcTable();
    std::uint32_t crc = 0xffffffffU;
    for (const std::uint8_t byte : bytes) {
        crc = table[(crc ^ byte) & 0xffU] ^ crc >> 8U;
    }
    return ~crc;
}

} // namespace

PngParts readPngChunks(std::span<const std::uint8_t> bytes) {
    constexpr std::array<std::string_view, 5> essential{"IHDR", "PLTE", "tRNS", "IDAT", "IEND"};
    const ByteReader read(bytes, true);
    PngParts parts;
    parts.essential.assign(bytes.begin(), bytes.begin() + 8);
    for (std::size_t at = 8; at + 12 <= bytes.size();) {
        const std::size_t length = read.u32(at);
        if (length > bytes.size() - at - 12) {
            break;
        }
        const std::string_view name(reinterpret_cast<const char*>(bytes.data()) + at + 4, 4);
        const auto chunk = bytes.subspan(at, length + 12);
        if (name == "eXIf") {
            parts.exif = chunk.subspan(8, length);
        } else if (std::find(essential.begin(), essential.end(), name) != essential.end()) {
            if (crc32(chunk.subspan(4, length + 4)) != read.u32(at + 8 + length)) {
                throw DataError(
                    fmt::format("the PNG is damaged: the checksum of its {} chunk at byte {} is wrong", name, at));
            }
            parts.essential.insert(parts.essential.end(), chunk.begin(), chunk.end());
            if (name == "IEND") {
                return parts;
            }
        }
        at += chunk.size();
    }
    throw DataError(fmt::format("the PNG is truncated: its {} bytes end before its end chunk", bytes.size()));
}

} // namespace halfstep::data
