#pragma once
#include "engine/data/decode.h"
#include <cstdint>
#include <span>

namespace halfstep::data {

/// The orientation, 1 to 8, that an EXIF block (from its TIFF header on) names; 1 if it names none or is broken.
int exifOrientation(std::span<const std::uint8_t> tiff);

/// Turns a stored picture upright: orientation 6 means that the camera was turned, so the picture is rotated
/// clockwise.
void applyOrientation(RgbImage& image, int orientation);

} // namespace halfstep::data
