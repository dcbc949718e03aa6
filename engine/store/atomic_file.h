#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>

namespace halfstep::store {

/// A file that appears under its name only when it is whole: written under a temporary name in the same folder, then
/// renamed. What is no regular file (/dev/null, a pipe) is written directly.
///
/// Every member throws StoreError with the file's name and the operating system's reason.
class AtomicFile {
public:
    /// A symbolic link is followed: the file that it points at is replaced.
    explicit AtomicFile(const std::filesystem::path& target);
    /// Removes the temporary file unless `commit` returned.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Hands the bytes to the system at once, so that they survive the death of the process.
    void write(std::string_view bytes);
    /// Makes sure that the bytes are on the disk, then gives the file its name.
    void commit();

private:
    [[noreturn]] void fail(int systemError, std::size_t bytesNeeded) const;

    std::filesystem::path m_target;
    std::filesystem::path m_temporary; ///< empty if the target is written directly or is done
    int m_descriptor = -1;
};

} // namespace halfstep::store
