#include "engine/store/atomic_file.h"
#include "engine/tensor/error.h"
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace halfstep::store {
namespace {
namespace fs = std::filesystem;

fs::path withLinksFollowed(const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
    return error ? path : real;
}

/// A name that no other writer uses: process id and a number that is tried until the name is free.
fs::path temporaryName(const fs::path& target, int attempt) {
    const std::string name = target.filename().string().substr(0, 200); // file systems allow 255 bytes
    return target.parent_path() / fmt::format("{}.part-{}-{}", name, getpid(), attempt);
}

/// The rename itself is on the disk only when its folder is. Some file systems cannot do that; the file is whole
/// anyway.
void syncFolder(const fs::path& folder) {
    const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

} // namespace

AtomicFile::AtomicFile(const fs::path& target) : m_target(withLinksFollowed(target)) {
    std::error_code error;
    const fs::file_status status = fs::status(m_target, error);
    if (fs::is_directory(status)) {
        fail(EISDIR, 0);
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        m_descriptor = open(m_target.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        for (int attempt = 0; m_descriptor < 0 && attempt < 1000; ++attempt) {
            m_temporary = temporaryName(m_target, attempt);
            m_descriptor = open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (m_descriptor < 0 && errno != EEXIST) {
                break;
            }
        }
    }
    if (m_descriptor < 0) {
        fail(errno, 0);
    }
}

AtomicFile::~AtomicFile() {
    if (m_descriptor >= 0) {
        close(m_descriptor);
    }
    if (!m_temporary.empty()) {
        unlink(m_temporary.c_str());
    }
}

void AtomicFile::write(std::string_view bytes) {
    const std::size_t needed = bytes.size();
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            fail(errno, needed);
        }
    }
}

void AtomicFile::commit() {
    if (m_temporary.empty()) {
        return;
    }
    if (fsync(m_descriptor) != 0 || close(std::exchange(m_descriptor, -1)) != 0 ||
        rename(m_temporary.c_str(), m_target.c_str()) != 0) {
        fail(errno, 0);
    }
    m_temporary.clear();
    syncFolder(m_target.parent_path());
}

void AtomicFile::fail(int systemError, std::size_t bytesNeeded) const {
    if (systemError == ENOSPC || systemError == EDQUOT) {
        const std::string needed = bytesNeeded > 0 ? fmt::format(", {} bytes needed", bytesNeeded) : "";
        throw StoreError(
            fmt::format("\"{}\" could not be written: disk full{}; free some space or choose another place.",
                        m_target.string(), needed));
    }
    throw StoreError(fmt::format("\"{}\" could not be written: {}; choose another place.", m_target.string(),
                                 std::generic_category().message(systemError)));
}

} // namespace halfstep::store
