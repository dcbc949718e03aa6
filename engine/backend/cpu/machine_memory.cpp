#include "engine/backend/cpu/machine_memory.h"
#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
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

/// The control group that this process is in, below the folder of its hierarchy: "0::/user.slice" in version 2,
/// "4:memory:/user.slice" in version 1.
path ownGroup(const path& root, const std::string& controller) {
    std::ifstream stream(root / "proc/self/cgroup");
    for (std::string line; std::getline(stream, line);) {
        const std::size_t first = line.find(':'), second = line.find(":/", first + 1);
        if (first != std::string::npos && second != std::string::npos &&
            line.substr(first + 1, second - first - 1) == controller) {
            return line.substr(second + 2);
        }
    }
    return {};
}

/// The names that a version of control groups has for the same numbers.
struct GroupFiles {
    const char *limit, *used, *inactiveFile, *activeFile;
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                               "total_active_file"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file", "active_file"};

void lower(MachineMemory& memory, const path& group, const GroupFiles& files) {
    const auto limit = onlyNumber(group / files.limit);
    if (!limit) {
        return;
    }
    // Pages of files count as used, and are given up as soon as someone wants their memory.
    const std::uint64_t ofFiles = numberAfter(group / "memory.stat", files.inactiveFile).value_or(0) +
                                  numberAfter(group / "memory.stat", files.activeFile).value_or(0);
    const std::uint64_t all = onlyNumber(group / files.used).value_or(0);
    const std::uint64_t used = all - std::min(all, ofFiles);
    memory.totalBytes = std::min(memory.totalBytes, *limit);
    memory.freeBytes = std::min(memory.freeBytes, *limit - std::min(used, *limit));
}

/// A limit of a group above this process's own holds for it, too; in a container its own group is often the root.
void lowerByGroups(MachineMemory& memory, const path& hierarchy, path group, const GroupFiles& files) {
    for (;; group = group.parent_path()) {
        lower(memory, hierarchy / group, files);
        if (group.empty()) {
            return;
        }
    }
}

/// `ulimit -v`: what the process may map, and how much of it is left.
void lowerByAddressSpace(MachineMemory& memory, const path& process) {
    std::ifstream stream(process / "limits");
    const std::string name = "Max address space";
    for (std::string line; std::getline(stream, line);) {
        std::uint64_t limit = 0;
        if (line.starts_with(name) && std::istringstream(line.substr(name.size())) >> limit) { // "unlimited" is none
            const std::uint64_t mapped = numberAfter(process / "status", "VmSize:").value_or(0) * 1024;
            memory.totalBytes = std::min(memory.totalBytes, limit);
            memory.freeBytes = std::min(memory.freeBytes, limit - std::min(mapped, limit));
        }
    }
}

} // namespace

MachineMemory machineMemory(const path& root) {
    constexpr std::uint64_t kUnknown = std::uint64_t{1} << 50;
    const std::uint64_t total = numberAfter(root / "proc/meminfo", "MemTotal:").value_or(kUnknown) * 1024;
    const auto available = numberAfter(root / "proc/meminfo", "MemAvailable:");
    MachineMemory memory{total, available ? *available * 1024 : total};
    const path groups = root / "sys/fs/cgroup";
    lowerByGroups(memory, groups, ownGroup(root, ""), kVersion2);
    lowerByGroups(memory, groups / "memory", ownGroup(root, "memory"), kVersion1);
    lowerByAddressSpace(memory, root / "proc/self");
    return memory;
}

} // namespace halfstep::backend::cpu
