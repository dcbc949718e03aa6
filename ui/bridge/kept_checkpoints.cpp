#include "ui/bridge/kept_checkpoints.h"
#include "engine/store/utc_time.h"
#include <algorithm>
#include <system_error>

namespace halfstep::ui {
namespace fs = std::filesystem;

namespace {

fs::path placeOf(const fs::path& historyFile) {
    return fs::absolute(historyFile).lexically_normal().parent_path() / "checkpoints";
}

} // namespace

std::string newCheckpointFolder(const fs::path& historyFile, precision::Policy policy) {
    std::string name = store::utcNow() + '-' + std::string(precision::traitsOf(policy).name);
    std::ranges::replace(name, ':', '.'); // as other systems' file names want it
    fs::path folder = placeOf(historyFile) / name;
    for (int other = 2; fs::exists(folder); ++other) {
        folder = placeOf(historyFile) / (name + '-' + std::to_string(other));
    }
    return folder.string();
}

void removeKeptCheckpoints(const fs::path& historyFile, const std::string& folder) {
    if (folder.empty() || fs::path(folder).lexically_normal().parent_path() != placeOf(historyFile)) {
        return;
    }
    std::error_code left; // what cannot be deleted hurts nobody
    fs::remove_all(folder, left);
}

} // namespace halfstep::ui
