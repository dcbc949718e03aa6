#pragma once
#include <filesystem>

namespace halfstep::data {

/// $XDG_CACHE_HOME/halfstep, or ~/.cache/halfstep. Made if missing.
std::filesystem::path userCacheFolder();
/// $XDG_DATA_HOME/halfstep, or ~/.local/share/halfstep. Made if missing. Holds runs.sqlite.
std::filesystem::path userDataFolder();

} // namespace halfstep::data
