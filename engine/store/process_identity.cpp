#include "engine/store/process_identity.h"
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace halfstep::store {
namespace {

std::string firstLine(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// Field 22 of /proc/PID/stat, in clock ticks since boot; empty if the process does not run.
std::string startTime(pid_t process) {
    const std::string line = firstLine(fmt::format("/proc/{}/stat", process));
    const std::size_t afterName = line.rfind(')'); // field 2, the name, may itself hold spaces and brackets
    if (afterName == std::string::npos) {
        return {};
    }
    std::istringstream fields(line.substr(afterName + 1));
    std::string field;
    fields >> field; // field 3: the state
    if (field == "Z" || field == "X") {
        return {};
    }
    for (int number = 4; number <= 22; ++number) {
        fields >> field;
    }
    return fields ? field : std::string{};
}

} // namespace

std::string identityOf(pid_t process) {
    const std::string started = startTime(process);
    return started.empty() ? std::string{}
                           : fmt::format("{} {} {}", process, started, firstLine("/proc/sys/kernel/random/boot_id"));
}

std::string ownIdentity() {
    return identityOf(getpid());
}

bool isAlive(std::string_view identity) {
    pid_t process = 0;
    const auto parsed = std::from_chars(identity.data(), identity.data() + identity.size(), process);
    return parsed.ec == std::errc{} && process > 0 && identityOf(process) == identity;
}

} // namespace halfstep::store
