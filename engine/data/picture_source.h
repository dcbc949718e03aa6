#pragma once
#include "engine/data/dataset.h"
#include "engine/data/decode.h"
#include "engine/data/set_layout.h"
#include <memory>
#include <optional>
#include <variant>

namespace halfstep::data {

/// A file of the set as a source hands it out: its bytes, a picture that the program drew, or the reason why there is
/// neither.
struct SourceFile {
    std::string path; ///< relative to the set, bytes as the file system or archive has them
    std::int64_t fileBytes = 0;
    std::variant<std::vector<std::uint8_t>, RgbImage, std::string> content;
};

/// How far a source has come, for a progress bar.
struct SourceProgress {
    std::string activity;
    std::int64_t total = 0; ///< files; an archive's is estimated from the bytes read until its end is seen
};

/// Where the files of a set come from. Workers pull from it, so that reading is spread or serialized as the source
/// needs, and no more files are in memory than there are workers.
class PictureSource {
public:
    virtual ~PictureSource() = default;

    /// Hash of what says cheaply that the content is still the same; independent of where the set lies.
    virtual std::string key() const = 0;
    virtual std::string displayName() const = 0;
    virtual bool drawn() const { return false; }
    /// Pictures that the set is likely to have at most, for reserving space; 0 if unknown.
    virtual std::int64_t expectedPictures() const = 0;

    /// The next file of train/ and val/, from any thread; empty at the end. Throws DataError if the set cannot be
    /// read on, Cancelled if `stop` is requested meanwhile.
    virtual std::optional<SourceFile> next(const std::stop_token& stop) = 0;
    /// `done` files were handed out and worked on.
    virtual SourceProgress progress(std::int64_t done) const = 0;
    /// Complete when next() has returned the end.
    virtual SetLayout layout() const = 0;

    /// The bytes of one file, as an image file. Throws DataError if it has gone.
    virtual std::vector<std::uint8_t> original(const std::string& path) const = 0;
};

/// Finds out what `source` names ("sample", a folder, an archive). Throws DataError saying what is accepted.
std::unique_ptr<PictureSource> openSource(const std::string& source);

/// Files above this size are not read: no photograph is as large.
inline constexpr std::int64_t largestFileBytes = 512LL << 20U;

} // namespace halfstep::data
