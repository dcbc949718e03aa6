#include "engine/data/exif_orientation.h"
#include "engine/data/byte_reader.h"
#include <algorithm>
#include <cstring>

namespace halfstep::data {

int exifOrientation(std::span<const std::uint8_t> tiff) {
    if (tiff.size() < 8 || tiff[0] != tiff[1] || (tiff[0] != 'I' && tiff[0] != 'M')) {
        return 1;
    }
    const ByteReader read(tiff, tiff[0] == 'M');
    const std::size_t directory = read.u32(4);
    const std::size_t entries = read.u16(directory);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + 12 * i;
        if (entry + 12 > tiff.size()) {
            break;
        }
        if (read.u16(entry) == 0x0112) {
            const auto value = static_cast<int>(read.u16(entry + 8));
            return value >= 1 && value <= 8 ? value : 1;
        }
    }
    return 1;
}

void applyOrientation(RgbImage& image, int orientation) {
    if (orientation < 2 || orientation > 8) {
        return;
    }
    const bool transposed = orientation >= 5;
    const int width = transposed ? image.height : image.width;
    const int height = transposed ? image.width : image.height;
    std::vector<std::uint8_t> turned(image.pixels.size());
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int sourceX = transposed ? y : x;
            int sourceY = transposed ? x : y;
            if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) {
                sourceX = image.width - 1 - sourceX;
            }
            if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) {
                sourceY = image.height - 1 - sourceY;
            }
            const auto from = (static_cast<std::size_t>(sourceY) * static_cast<std::size_t>(image.width) +
                               static_cast<std::size_t>(sourceX)) *
                              3;
            const auto to =
                (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3;
            std::memcpy(turned.data() + to, image.pixels.data() + from, 3);
        }
    }
    image.width = width;
    image.height = height;
    image.pixels = std::move(turned);
}

} // namespace halfstep::data
