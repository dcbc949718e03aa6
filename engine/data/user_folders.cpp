#include "engine/data/user_folders.h"
#include "engine/data/readable_text.h"
#include "engine/tensor/error.h"
#include <cstdlib>
#include <fmt/format.h>
#include <pwd.h>
#include <string>
#include <unistd.h>

namespace halfstep::data {
namespace {

std::filesystem::path homeFolder() {
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return home;
    }
    if (const passwd* user = getpwuid(getuid()); user != nullptr && user->pw_dir != nullptr) {
        return user->pw_dir;
    }
    throw DataError(
        "The user's folder is not known: HOME is not set. Set HOME, or XDG_CACHE_HOME and XDG_DATA_HOME.");
}

/// The XDG rule: a value that is not an absolute path is to be taken as not set.
std::filesystem::path madeFolder(const char* variable, const char* belowHome) {
    const char* value = std::getenv(variable);
    const std::filesystem::path base =
        value != nullptr && *value == '/' ? std::filesystem::path(value) : homeFolder() / belowHome;
    const std::filesystem::path folder = base / "halfstep";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw DataError(fmt::format("The folder {} cannot be made ({}). Set {} to a folder that can be written to.",
                                    readableText(folder.native()), error.message(), variable));
    }
    return folder;
}

} // namespace

std::filesystem::path userCacheFolder() {
    return madeFolder("XDG_CACHE_HOME", ".cache");
}

std::filesystem::path userDataFolder() {
    return madeFolder("XDG_DATA_HOME", ".local/share");
}

} // namespace halfstep::data
