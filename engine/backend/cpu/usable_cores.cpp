#include "engine/backend/cpu/usable_cores.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sched.h>
#include <string>
#include <thread>

namespace halfstep::backend::cpu {

int usableCores() {
    int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    cpu_set_t affinity;
    if (sched_getaffinity(0, sizeof affinity, &affinity) == 0) {
        cores = CPU_COUNT(&affinity);
    }
    std::ifstream quotaFile("/sys/fs/cgroup/cpu.max"); // "max 100000" or "150000 100000", in microseconds
    std::string quota;
    double period = 0;
    if (quotaFile >> quota >> period && quota != "max" && period > 0) {
        cores = std::min(cores, static_cast<int>(std::ceil(std::stod(quota) / period)));
    }
    return std::max(cores, 1);
}

} // namespace halfstep::backend::cpu
