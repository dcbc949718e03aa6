#pragma once
#include "engine/data/cache_file.h"
#include "engine/data/picture_source.h"

namespace halfstep::data {

struct BuildOptions {
    std::string sourceText; ///< as the user gave it, for messages
    int imageSize = 256;
    int threads = 0; ///< 0: all cores
};

/// Decodes and resizes every picture of `source` on all threads and writes it with `writer`; returns what is to be
/// sealed. The result depends on the content alone, not on threads or timing (but for the slots). `progress` is
/// called on this thread. Throws DataError if nothing can be used, Cancelled within 100 ms of a stop.
CacheContent buildCache(PictureSource& source, CacheWriter& writer, const BuildOptions& options,
                        const ProgressSink& progress, const std::stop_token& stop);

} // namespace halfstep::data
