#pragma once
#include <cstdint>
#include <filesystem>

namespace halfstep::backend::cpu {

struct MachineMemory {
    std::uint64_t totalBytes = 0; ///< of the machine, lowered to the limit of a container or of the process
    std::uint64_t freeBytes = 0;  ///< that can be had without swapping, likewise; the total where nothing tells
};

/// `root` is the folder that proc and sys lie in.
MachineMemory machineMemory(const std::filesystem::path& root = "/");

} // namespace halfstep::backend::cpu
