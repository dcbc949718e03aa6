#include "engine/backend/machine.h"
#include "engine/backend/cpu/one_dnn.h"
#include "engine/backend/cpu/usable_cores.h"
#include <algorithm>
#include <fstream>
#include <optional>

namespace halfstep::backend {
namespace {

/// The number in the first line of `path` that starts with `key`, if there is one.
std::optional<std::uint64_t> numberAfter(const char* path, const std::string& key) {
    std::ifstream file(path);
    std::string word;
    std::uint64_t value = 0;
    while (file >> word) {
        if (word == key && file >> value) {
            return value;
        }
        file.clear();
    }
    return std::nullopt;
}

std::optional<std::uint64_t> onlyNumber(const char* path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? std::optional(value) : std::nullopt; // "max" is no number: no limit
}

} // namespace

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
    MachineMemory memory{numberAfter("/proc/meminfo", "MemTotal:").value_or(0) * 1024,
                         numberAfter("/proc/meminfo", "MemAvailable:").value_or(0) * 1024};
    if (const auto limit = onlyNumber("/sys/fs/cgroup/memory.max"); limit && *limit < memory.totalBytes) {
        const std::uint64_t used = onlyNumber("/sys/fs/cgroup/memory.current").value_or(0);
        memory.totalBytes = *limit;
        memory.freeBytes = std::min(memory.freeBytes, *limit - std::min(used, *limit));
    }
    return memory;
}

std::string oneDnnVersion() {
    return cpu::oneDnnVersionText();
}

} // namespace halfstep::backend
