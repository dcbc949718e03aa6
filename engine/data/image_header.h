#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace halfstep::data {

enum class ImageFormat { Unknown, Jpeg, Png, Bmp, WebP, Tiff, Gif };

/// What the first bytes say, before anything is decoded.
struct ImageHeader {
    ImageFormat format = ImageFormat::Unknown;
    std::int64_t width = 0; ///< pixels; 0 where the format keeps it elsewhere (JPEG: its decoder says)
    std::int64_t height = 0;
};

/// Looks at the content only. Never reads past the end of `bytes`.
ImageHeader readImageHeader(std::span<const std::uint8_t> bytes);

/// "JPEG", "PNG", ...
std::string formatName(ImageFormat format);

/// For bytes of no known format: what they seem to be, as a clause ("not a picture but text or HTML").
std::string describeUnknown(std::span<const std::uint8_t> bytes);

} // namespace halfstep::data
