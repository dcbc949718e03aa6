#pragma once
#include "engine/data/archive_reader.h"
#include "engine/data/picture_source.h"
#include <filesystem>
#include <mutex>

namespace halfstep::data {

/// A tar archive of a set. Unpacking cannot be shared out, so the workers take turns: each reads its next member
/// under a lock and decodes it outside.
class ArchiveSource : public PictureSource {
public:
    /// Throws DataError if the file cannot be opened.
    explicit ArchiveSource(const std::string& source);

    std::string key() const override;
    std::string displayName() const override;
    std::int64_t expectedPictures() const override { return 0; }
    std::optional<SourceFile> next(const std::stop_token& stop) override;
    SourceProgress progress(std::int64_t done) const override;
    SetLayout layout() const override;
    std::vector<std::uint8_t> original(const std::string& path) const override;

private:
    std::optional<std::string> pathInSet(const std::string& member);
    void enterLayout(const std::string& path, bool folder);

    std::filesystem::path m_path;
    std::int64_t m_fileBytes = 0;
    mutable std::mutex m_mutex;
    std::unique_ptr<ArchiveReader> m_reader; ///< empty after the end
    std::optional<std::string> m_top;        ///< the folder around train/, with its '/'; "" if there is none
    SetLayout m_layout;
};

} // namespace halfstep::data
