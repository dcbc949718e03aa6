#pragma once
#include "engine/data/dataset.h"
#include <QImage>
#include <cstdint>
#include <span>

namespace halfstep::ui {

/// A square picture of `side` pixels for the grid, from the [imageSize, imageSize, 3] pixels of a set. The set holds
/// pictures squeezed to a square; here they get their own shape back and are cut to the middle.
QImage thumbnailOf(std::span<const std::uint8_t> pixels, int imageSize, const data::Photograph& photograph, int side);

} // namespace halfstep::ui
