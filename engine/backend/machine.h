#pragma once
#include "engine/backend/cpu/machine_memory.h"
#include <string>

namespace halfstep::backend {

/// The CPU's model name as the kernel tells it: "AMD EPYC 7B13".
std::string cpuName();
/// Cores that this process may use.
int usableCores();

using MachineMemory = cpu::MachineMemory;
MachineMemory machineMemory();

/// "2.6.3"
std::string oneDnnVersion();

} // namespace halfstep::backend
