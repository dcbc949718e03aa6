#pragma once
#include <filesystem>

namespace halfstep::train {

/// Asks the system to put a folder's list of names on the disk. Some file systems cannot; nothing is lost then unless
/// the power fails.
void syncFolder(const std::filesystem::path& folder);

/// Gives `made` the name `target`, in one step, so that `target` is always whole; what had that name before is
/// removed. Both lie in one folder. Throws std::filesystem::filesystem_error.
void replaceFolder(const std::filesystem::path& made, const std::filesystem::path& target);

/// Makes `link` point at `to`, in one step, under the name `hidden` first; what had that name before is removed.
/// Throws std::filesystem::filesystem_error.
void replaceLink(const std::filesystem::path& to, const std::filesystem::path& link,
                 const std::filesystem::path& hidden);

} // namespace halfstep::train
