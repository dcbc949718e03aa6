#include "engine/train/replace_folder.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace halfstep::train {
namespace fs = std::filesystem;

void syncFolder(const fs::path& folder) {
    const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

void replaceFolder(const fs::path& made, const fs::path& target) {
    syncFolder(made);
    // rename() replaces an empty folder only.
    if (rename(made.c_str(), target.c_str()) != 0) {
        const int reason = errno;
        const bool taken = reason == ENOTEMPTY || reason == EEXIST;
        if (!taken || renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0) {
            throw fs::filesystem_error("rename", made, target, {taken ? errno : reason, std::generic_category()});
        }
        syncFolder(target.parent_path());
        fs::remove_all(made); // by now what was there before
    }
    syncFolder(target.parent_path());
}

void replaceLink(const fs::path& to, const fs::path& link, const fs::path& hidden) {
    std::error_code error;
    if (fs::is_symlink(link, error) && fs::read_symlink(link, error) == to) {
        return;
    }
    fs::remove_all(hidden);
    fs::create_directory_symlink(to, hidden);
    if (fs::is_directory(fs::symlink_status(link, error))) {
        fs::remove_all(link); // a copy of the link's target, made by someone: it cannot be replaced otherwise
    }
    fs::rename(hidden, link);
    syncFolder(link.parent_path());
}

} // namespace halfstep::train
