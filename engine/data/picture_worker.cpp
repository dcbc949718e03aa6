#include "engine/data/picture_worker.h"
#include "engine/data/content_hash.h"
#include "engine/data/pixel_rows.h"
#include "engine/data/readable_text.h"
#include "engine/data/resize.h"
#include "engine/tensor/error.h"
#include <new>

namespace halfstep::data {
PictureWorker::PictureWorker(CacheWriter& writer, int imageSize)
    : m_writer(&writer),
      m_imageSize(imageSize),
      m_resized(static_cast<std::size_t>(imageSize) * static_cast<std::size_t>(imageSize) * 3) {}

void PictureWorker::take(SourceFile file, WorkerResult& result, const std::stop_token& stop) {
    const std::string readable = readableText(file.path);
    BuiltPicture picture;
    RgbImage image;
    try {
        if (const auto* reason = std::get_if<std::string>(&file.content)) {
            throw DataError(*reason);
        }
        if (const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&file.content)) {
            picture.contentHash = hashText(*bytes);
            image = decodeImage(*bytes, stop);
        } else {
            image = std::move(std::get<RgbImage>(file.content));
            picture.contentHash = hashText(image.pixels);
        }
    } catch (const DataError& reason) {
        result.skipped.push_back({readable, reason.what()});
        return;
    } catch (const std::bad_alloc&) {
        result.skipped.push_back({readable, "there is not enough memory to decode it"});
        return;
    }
    resizeToBytes(image.pixels, image.height, image.width, m_imageSize, m_resized);
    picture.sums = sumsOf(m_resized);
    picture.place = placeOf(file.path).value();
    Photograph& photograph = picture.cached.photograph;
    photograph.path = readable;
    photograph.width = image.width;
    photograph.height = image.height;
    photograph.fileBytes = file.fileBytes;
    photograph.format = std::move(image.format);
    picture.cached.slot = m_writer->write(m_resized);
    picture.cached.sourcePath = std::move(file.path);
    result.pictures.push_back(std::move(picture));
}

} // namespace halfstep::data
