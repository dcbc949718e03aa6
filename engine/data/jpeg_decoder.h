#pragma once
#include "engine/data/decode.h"

namespace halfstep::data {

/// Decodes a whole JPEG with libjpeg, the library that OpenCV uses for it too, with the same settings. Asked
/// directly, because only its own warnings tell a truncated file from a whole one, and OpenCV prints them to stderr.
RgbImage decodeJpeg(std::span<const std::uint8_t> bytes, const std::stop_token& stop);

} // namespace halfstep::data
