#include "engine/backend/cpu/machine_memory.h"
#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace halfstep::backend::cpu {
namespace {

using std::filesystem::path;

/// The number after the word `key` in a file, if there is one.
std::optional<std::uint64_t> numberAfter(const path& file, const std::string& key) {
    std::ifstream stream(file);
    std::string word;
    std::uint64_t value = 0;
    while (stream >> word) {
        if (word == key && stream >> value) {
            return value;
        }
        stream.clear();
    }
    return std::nullopt;
}

std::optional<std::uint64_t> onlyNumber(const path& file) {
    std::ifstream stream(file);
    std::uint64_t value = 0;
    return stream >> value ? std::optional(value) : std::nullopt; // "max" is no number: no limit
}

/// The control group that this process is in, below the folder of its hierarchy: "0::/user.slice" in version 2.
path ownGroup(const path& root) {
    std::ifstream stream(root / "proc/self/cgroup");
    std::string line;
    while (std::getline(stream, line)) {
        if (line.starts_with("0::/")) {
            return line.substr(4);
        }
    }
    return {};
}

void lower(MachineMemory& memory, const path& limitFile, const path& usedFile) {
    const auto limit = onlyNumber(limitFile);
    if (!limit || *limit >= memory.totalBytes) {
        return;
    }
    const std::uint64_t used = onlyNumber(usedFile).value_or(0);
    memory.totalBytes = *limit;
    memory.freeBytes = std::min(memory.freeBytes, *limit - std::min(used, *limit));
}

} // namespace

MachineMemory machineMemory(const path& root) {
    MachineMemory memory{numberAfter(root / "proc/meminfo", "MemTotal:").value_or(0) * 1024,
                         numberAfter(root / "proc/meminfo", "MemAvailable:").value_or(0) * 1024};
    const path groups = root / "sys/fs/cgroup";
    // A limit of a group above this process's own holds for it, too; in a container its own group is often the root.
    for (path group = ownGroup(root);; group = group.parent_path()) {
        lower(memory, groups / group / "memory.max", groups / group / "memory.current");
        if (group.empty()) {
            break;
        }
    }
    lower(memory, groups / "memory/memory.limit_in_bytes", groups / "memory/memory.usage_in_bytes"); // version 1
    return memory;
}

} // namespace halfstep::backend::cpu
