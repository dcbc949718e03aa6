#include "engine/data/archive_source.h"
#include "engine/data/cache_builder.h"
#include "engine/data/folder_source.h"
#include "engine/data/readable_text.h"
#include "engine/data/sample/sample_source.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::data {
namespace {

/// The set as its cache file has it; the source is kept for the originals.
class CachedDataset : public Dataset {
public:
    CachedDataset(std::unique_ptr<PictureSource> source, std::unique_ptr<CacheFile> cache,
                  const std::string& sourceText)
        : m_source(std::move(source)),
          m_cache(std::move(cache)),
          m_info(m_cache->content().info) {
        m_info.source = sourceText; // the same content may have been cached from another place
        m_info.displayName = m_source->displayName();
        for (const Split split : {Split::Train, Split::Validation}) {
            auto& photographs = m_photographs[static_cast<std::size_t>(split)];
            for (const CachedPicture& picture : pictures(split)) {
                photographs.push_back(picture.photograph);
            }
        }
    }

    const DatasetInfo& info() const override { return m_info; }
    const std::vector<Photograph>& photographs(Split split) const override {
        return m_photographs[static_cast<std::size_t>(split)];
    }
    std::span<const std::uint8_t> pixels(Split split, std::int64_t index) const override {
        return m_cache->pixels(pictures(split).at(static_cast<std::size_t>(index)).slot);
    }
    std::vector<std::uint8_t> original(Split split, std::int64_t index) const override {
        return m_source->original(pictures(split).at(static_cast<std::size_t>(index)).sourcePath);
    }

private:
    const std::vector<CachedPicture>& pictures(Split split) const {
        return m_cache->content().pictures[static_cast<std::size_t>(split)];
    }
    std::unique_ptr<PictureSource> m_source;
    std::unique_ptr<CacheFile> m_cache;
    DatasetInfo m_info;
    std::array<std::vector<Photograph>, 2> m_photographs;
};

} // namespace

std::unique_ptr<PictureSource> openSource(const std::string& source) {
    if (source == "sample") {
        return std::make_unique<SampleSource>();
    }
    std::error_code error;
    const auto status = std::filesystem::status(source, error);
    if (std::filesystem::is_directory(status)) {
        return std::make_unique<FolderSource>(source);
    }
    if (std::filesystem::is_regular_file(status)) {
        return std::make_unique<ArchiveSource>(source);
    }
    const std::string what = source.empty() ? "No source is given"
                             : error && status.type() != std::filesystem::file_type::not_found
                                 ? fmt::format("{} cannot be read ({})", readableText(source), error.message())
                             : std::filesystem::exists(status)
                                 ? fmt::format("{} is neither a folder nor a file", readableText(source))
                                 : fmt::format("{} does not exist", readableText(source));
    throw DataError(what +
                    ". A source is \"sample\", a folder with train/ and val/ of one folder a class, or a .tgz of "
                    "such a folder.");
}

std::shared_ptr<const Dataset> openDataset(const std::string& source, const OpenOptions& options,
                                           const ProgressSink& progress, std::stop_token stop) {
    if (options.imageSize < 1 || options.imageSize > 4096) {
        throw ConfigError("image_size",
                          fmt::format("The image size is {}; it must be 1 to 4096 pixels.", options.imageSize));
    }
    auto pictures = openSource(source);
    const std::string key = pictures->key();
    const auto path = options.cacheFolder / fmt::format("set-{}-{}.cache", key, options.imageSize);
    auto cache = CacheFile::open(path, key, options.imageSize);
    if (cache == nullptr) {
        if (const auto writer = CacheWriter::begin(path, key, options.imageSize, stop)) {
            writer->seal(buildCache(*pictures, *writer, {readableText(source), options.imageSize, options.threads},
                                    progress, stop));
        }
        cache = CacheFile::open(path, key, options.imageSize);
    }
    if (cache == nullptr) {
        throw DataError(
            fmt::format("The image cache {} was written but cannot be read back. Look for trouble with the disk, "
                        "or set XDG_CACHE_HOME to another folder.",
                        readableText(path.native())));
    }
    return std::make_shared<CachedDataset>(std::move(pictures), std::move(cache), source);
}

} // namespace halfstep::data
