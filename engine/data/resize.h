#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace halfstep::data {

/// tf.image.resize(method="bilinear", antialias=False), in float32: half-pixel centres (source = (target + 0.5) * in
/// / out - 0.5), edges repeated, each axis stretched on its own (the picture is squashed, never cropped).
///
///   pixels  [height, width, channels]
///   result  [newHeight, newWidth, channels]
std::vector<float> resizeBilinear(std::span<const float> pixels, int height, int width, int channels, int newHeight,
                                  int newWidth);

/// The same for a picture of three channels, each float32 result rounded to the nearest whole number, halves to even.
///
///   pixels  [height, width, 3]
///   target  [size, size, 3]
void resizeToBytes(std::span<const std::uint8_t> pixels, int height, int width, int size,
                   std::span<std::uint8_t> target);

} // namespace halfstep::data
