#include "engine/backend/machine.h"
#include "engine/backend/cpu/one_dnn.h"
#include "engine/backend/cpu/usable_cores.h"
#include <fstream>

namespace halfstep::backend {
std::string cpuName() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("model name")) {
            const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
            return start == std::string::npos ? "unknown CPU" : line.substr(start);
        }
    }
    return "unknown CPU";
}

int usableCores() {
    return cpu::usableCores();
}

MachineMemory machineMemory() {
    return cpu::machineMemory();
}

std::string oneDnnVersion() {
    return cpu::oneDnnVersionText();
}

} // namespace halfstep::backend
