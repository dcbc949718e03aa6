#include "ui/models/thumbnail.h"
#include <QRect>
#include <algorithm>
#include <cmath>

namespace halfstep::ui {
namespace {

/// The part of the squeezed square that is the middle square of the original.
QRect middleSquare(int imageSize, int width, int height) {
    if (width <= 0 || height <= 0 || width == height) {
        return {0, 0, imageSize, imageSize};
    }
    const double share = static_cast<double>(std::min(width, height)) / std::max(width, height);
    const int shortened = std::max(1, static_cast<int>(std::lround(imageSize * share)));
    const int offset = (imageSize - shortened) / 2;
    return width > height ? QRect(offset, 0, shortened, imageSize) : QRect(0, offset, imageSize, shortened);
}

} // namespace

QImage thumbnailOf(std::span<const std::uint8_t> pixels, int imageSize, const data::Photograph& photograph,
                   int side) {
    const QImage whole(pixels.data(), imageSize, imageSize, static_cast<qsizetype>(imageSize) * 3,
                       QImage::Format_RGB888);
    return whole.copy(middleSquare(imageSize, photograph.width, photograph.height))
        .convertToFormat(QImage::Format_RGB32) // what the raster engine draws fastest
        .scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

} // namespace halfstep::ui
