#pragma once
#include "engine/data/picture_source.h"
#include <atomic>
#include <filesystem>

namespace halfstep::data {

/// A folder with train/ and val/, or one that holds exactly one such folder. Scanned when made; a class folder's own
/// subfolders are looked into. Links to files and to class folders are followed.
class FolderSource : public PictureSource {
public:
    /// Throws DataError if the folder holds no set, or one with which nothing can be trained (see checkLayout).
    explicit FolderSource(const std::string& source);

    std::string key() const override { return m_key; }
    std::string displayName() const override;
    std::int64_t expectedPictures() const override { return static_cast<std::int64_t>(m_files.size()); }
    std::optional<SourceFile> next(const std::stop_token& stop) override;
    SourceProgress progress(std::int64_t) const override { return {"Decoding", expectedPictures()}; }
    SetLayout layout() const override { return m_layout; }
    std::vector<std::uint8_t> original(const std::string& path) const override;

private:
    void scanSplit(Split split);
    void scanClass(const std::filesystem::path& folder, const std::string& relative);
    std::string computeKey() const;

    struct File {
        std::string path;
        std::int64_t bytes = 0;
        std::int64_t modified = 0; ///< nanoseconds
    };
    std::filesystem::path m_root; ///< the folder that holds train/
    SetLayout m_layout;
    std::vector<File> m_files; ///< sorted by path
    std::string m_key;
    std::atomic<std::size_t> m_next{0};
};

} // namespace halfstep::data
