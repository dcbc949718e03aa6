#pragma once
#include "engine/data/cache_file.h"
#include "engine/data/picture_source.h"
#include "engine/data/pixel_rows.h"

namespace halfstep::data {

/// A picture in the cache, before its label is known.
struct BuiltPicture {
    CachedPicture cached;
    PlaceInSet place;
    std::string contentHash;
    PixelSums sums; ///< after resizing
};

/// What one worker thread has made.
struct WorkerResult {
    std::vector<BuiltPicture> pictures;
    std::vector<SkippedFile> skipped;
};

/// Takes one file of a source through decoding and resizing into the cache.
class PictureWorker {
public:
    PictureWorker(CacheWriter& writer, int imageSize);

    /// Adds the picture, or the reason why it cannot be used, to `result`. Throws DataError if the cache cannot be
    /// written.
    void take(SourceFile file, WorkerResult& result, const std::stop_token& stop);

private:
    CacheWriter* m_writer;
    int m_imageSize;
    std::vector<std::uint8_t> m_resized;
};

} // namespace halfstep::data
