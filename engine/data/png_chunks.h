#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace halfstep::data {

/// A PNG reduced to what its pixels need (IHDR, PLTE, tRNS, IDAT, IEND), and its EXIF block.
struct PngParts {
    std::vector<std::uint8_t>
        essential; ///< a PNG that libpng decodes without a remark on colour profiles and the like
    std::span<const std::uint8_t> exif; ///< inside the given bytes; empty if there is none
};

/// Walks the chunks and checks their lengths and checksums, so that libpng has nothing to complain about on stderr.
/// Throws DataError if the file ends early or an essential chunk is damaged.
PngParts readPngChunks(std::span<const std::uint8_t> bytes);

} // namespace halfstep::data
