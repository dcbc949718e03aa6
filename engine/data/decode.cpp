#include "engine/data/decode.h"
#include "engine/data/exif_orientation.h"
#include "engine/data/image_header.h"
#include "engine/data/jpeg_decoder.h"
#include "engine/data/png_chunks.h"
#include "engine/tensor/error.h"
#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace halfstep::data {
namespace {

RgbImage decodeWithOpenCv(std::span<const std::uint8_t> bytes, ImageFormat format) {
    const cv::Mat encoded(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<std::uint8_t*>(bytes.data()));
    cv::Mat decoded;
    try {
        decoded = cv::imdecode(encoded, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
    } catch (const cv::Exception&) {
        decoded.release();
    }
    if (decoded.empty() || decoded.type() != CV_8UC3) {
        throw DataError(
            fmt::format("the {} cannot be decoded: its data are damaged or of a kind that OpenCV does not read",
                        formatName(format)));
    }
    RgbImage image;
    image.width = decoded.cols;
    image.height = decoded.rows;
    image.pixels.resize(decoded.total() * 3);
    cv::Mat rgb(decoded.rows, decoded.cols, CV_8UC3, image.pixels.data());
    cv::cvtColor(decoded, rgb, cv::COLOR_BGR2RGB);
    return image;
}

void checkSize(const ImageHeader& header) {
    const std::string name = formatName(header.format);
    if (header.width <= 0 || header.height <= 0) {
        throw DataError(fmt::format("the {} is {} x {} pixels: nothing to see", name, header.width, header.height));
    }
    // Two checks, so that the product of two claims of 2^32 cannot overflow.
    if (header.width > largestPicturePixels || header.height > largestPicturePixels ||
        header.width * header.height > largestPicturePixels) {
        throw DataError(fmt::format("the {} claims {} x {} pixels; at most {} million are read", name, header.width,
                                    header.height, largestPicturePixels / 1'000'000));
    }
}

} // namespace

RgbImage decodeImage(std::span<const std::uint8_t> bytes, std::stop_token stop) {
    if (bytes.empty()) {
        throw DataError("the file is empty");
    }
    const ImageHeader header = readImageHeader(bytes);
    RgbImage image;
    switch (header.format) {
    case ImageFormat::Unknown:
        throw DataError(describeUnknown(bytes));
    case ImageFormat::Jpeg:
        return decodeJpeg(bytes, stop);
    case ImageFormat::Png: {
        checkSize(header);
        const PngParts parts = readPngChunks(bytes);
        image = decodeWithOpenCv(parts.essential, header.format);
        applyOrientation(image, exifOrientation(parts.exif));
        break;
    }
    case ImageFormat::Bmp:
    case ImageFormat::WebP:
    case ImageFormat::Tiff:
        checkSize(header);
        image = decodeWithOpenCv(bytes, header.format);
        break;
    case ImageFormat::Gif:
        throw DataError("GIF pictures are not read: convert it to PNG");
    }
    image.format = formatName(header.format);
    return image;
}

} // namespace halfstep::data
