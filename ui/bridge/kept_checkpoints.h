#pragma once
#include "engine/precision/policy.h"
#include <filesystem>
#include <string>

namespace halfstep::ui {

/// A folder, not yet made, for the checkpoints of a run that the window is about to start: beside the history, named
/// after time and policy.
std::string newCheckpointFolder(const std::filesystem::path& historyFile, precision::Policy policy);

/// Deletes a folder that newCheckpointFolder() has named, with all that is in it. Folders that the user has chosen on
/// the command line are left alone.
void removeKeptCheckpoints(const std::filesystem::path& historyFile, const std::string& folder);

} // namespace halfstep::ui
