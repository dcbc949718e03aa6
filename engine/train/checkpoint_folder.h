#pragma once
#include "engine/train/checkpoint.h"
#include <cstdint>
#include <filesystem>
#include <optional>

namespace halfstep::train {

/// The checkpoints of one run:
///
///   step-000123/weights.safetensors     all variables under Keras' names, float32
///   step-000123/optimizer.safetensors   "adam_m/conv2d/kernel", ...
///   step-000123/state.json              everything else
///   best                                a link to the folder of the best epoch
///
/// The last one and the best one are kept. Each is made under a hidden name, forced to the disk and renamed, so a
/// process that is killed leaves the old or the new one, whole.
class CheckpointFolder {
public:
    explicit CheckpointFolder(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    const std::filesystem::path& path() const { return m_folder; }

    /// Makes the folder if it is missing and tries to write to it. Throws StoreError with the system's reason.
    void prepare() const;

    /// Writes the checkpoint, and points `best` at its best epoch. Throws StoreError; then the earlier ones stay.
    void write(const Checkpoint& checkpoint) const;

    /// The folder of the last checkpoint; nothing if there is none.
    std::optional<std::filesystem::path> last() const;

    /// The last checkpoint. Throws DataError with the file's name if there is none, or one that is cut off, damaged
    /// or of a newer version.
    Checkpoint read() const;

private:
    /// Points `best` at its folder and removes what is neither last nor best, also what a killed process has left.
    void tidy(const CheckpointState& checkpoint) const;
    std::filesystem::path lastOrRefuse() const;
    std::filesystem::path m_folder;
};

} // namespace halfstep::train
