#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace halfstep::data {

/// One member of a tar archive.
struct ArchiveMember {
    enum class Kind { File, Folder, Link, Other };
    std::string path; ///< normalized: no "./", no "//", no trailing '/'
    Kind kind = Kind::Other;
    std::int64_t bytes = 0;
};

/// Reads a tar archive (plain, or packed with gzip, bzip2, xz, zstd, lz4) from its start, member by member, with
/// libarchive. Nothing is ever written, yet an archive with a member that would leave its folder (absolute path,
/// "..", a link to outside) is refused: nobody should pass such a file on. Not safe to share between threads.
class ArchiveReader {
public:
    /// Throws DataError if the file cannot be opened.
    explicit ArchiveReader(const std::filesystem::path& path);
    ~ArchiveReader();
    ArchiveReader(const ArchiveReader&) = delete;
    ArchiveReader& operator=(const ArchiveReader&) = delete;

    /// The next member; empty at the end. Throws DataError if the archive is damaged, ends early or is to be refused.
    std::optional<ArchiveMember> next(const std::stop_token& stop);
    /// The content of the member that next() returned last.
    std::vector<std::uint8_t> read(const std::stop_token& stop);
    /// Bytes of the file read so far, as packed.
    std::int64_t packedBytesRead() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace halfstep::data
