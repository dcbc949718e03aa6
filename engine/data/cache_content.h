#pragma once
#include "engine/data/dataset.h"
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halfstep::data {

struct CachedPicture {
    Photograph photograph;
    std::string sourcePath; ///< as PictureSource knows it; Photograph::path is its readable form
    std::int64_t slot = 0;  ///< its place among the pixels of the cache file
};

/// All that a cache file says beside the pixels.
struct CacheContent {
    DatasetInfo info;
    std::array<std::vector<CachedPicture>, 2> pictures; ///< by Split
};

/// As bytes for the file.
std::vector<std::uint8_t> packContent(const CacheContent& content);
/// Throws DataError if the bytes are not what packContent wrote.
CacheContent unpackContent(std::span<const std::uint8_t> bytes);

} // namespace halfstep::data
