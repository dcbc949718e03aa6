#pragma once
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace halfstep::data {

/// A picture of three channels, 8 bits each.
struct RgbImage {
    int width = 0; ///< pixels, after the orientation is applied
    int height = 0;
    std::vector<std::uint8_t> pixels; ///< [height, width, 3], R G B
    std::string format;               ///< "JPEG", "PNG", "BMP", "WebP", "TIFF", "GIF": by content, never by name
};

/// Pictures that claim more pixels than this are refused before anything is decoded.
inline constexpr std::int64_t largestPicturePixels = 100'000'000;

/// Decodes the bytes of an image file. Gray, palette, 1-bit, 16-bit, CMYK and YCCK pictures become RGB; an alpha
/// channel is dropped; the EXIF orientation is applied. Writes nothing to stderr. Throws DataError with the reason (a
/// clause such as "the file is empty") if the file is not a whole picture, Cancelled if `stop` is requested
/// meanwhile.
RgbImage decodeImage(std::span<const std::uint8_t> bytes, std::stop_token stop = {});

} // namespace halfstep::data
