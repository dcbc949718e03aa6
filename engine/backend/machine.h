#pragma once
#include <cstdint>
#include <string>

namespace halfstep::backend {

/// The CPU's model name as the kernel tells it: "AMD EPYC 7B13".
std::string cpuName();
/// Cores that this process may use.
int usableCores();

struct MachineMemory {
    std::uint64_t totalBytes = 0; ///< of the machine, lowered to a container's limit
    std::uint64_t freeBytes = 0;  ///< that can be had without swapping, likewise
};
MachineMemory machineMemory();

/// "2.6.3"
std::string oneDnnVersion();

} // namespace halfstep::backend
