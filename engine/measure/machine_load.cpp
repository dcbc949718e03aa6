#include "engine/measure/machine_load.h"
#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace halfstep::measure {

std::optional<double> loadAverage() {
    std::ifstream file("/proc/loadavg");
    double minute = 0;
    return file >> minute ? std::optional(minute) : std::nullopt;
}

std::optional<double> clockMegahertz() {
    std::ifstream file("/proc/cpuinfo");
    double sum = 0;
    int cores = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("cpu MHz")) {
            std::istringstream value(line.substr(line.find(':') + 1));
            double megahertz = 0;
            if (value >> megahertz) {
                sum += megahertz;
                ++cores;
            }
        }
    }
    return cores > 0 ? std::optional(sum / cores) : std::nullopt;
}

std::string clockGovernor() {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    std::string name;
    file >> name;
    return name;
}

OtherProcesses::OtherProcesses() : m_begin(now()) {}

std::optional<OtherProcesses::Times> OtherProcesses::now() {
    std::ifstream file("/proc/stat");
    std::string name;
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, interrupts = 0, soft = 0;
    if (!(file >> name >> user >> nice >> system >> idle >> wait >> interrupts >> soft) || name != "cpu") {
        return std::nullopt;
    }
    timespec own{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    const double busy = user + nice + system + interrupts + soft;
    return Times{.busySeconds = busy / ticks,
                 .allSeconds = (busy + idle + wait) / ticks,
                 .ownSeconds = static_cast<double>(own.tv_sec) + static_cast<double>(own.tv_nsec) * 1e-9};
}

std::optional<double> OtherProcesses::share() const {
    const std::optional<Times> end = now();
    if (!m_begin || !end || end->allSeconds <= m_begin->allSeconds) {
        return std::nullopt;
    }
    const double others = end->busySeconds - m_begin->busySeconds - (end->ownSeconds - m_begin->ownSeconds);
    return std::clamp(others / (end->allSeconds - m_begin->allSeconds), 0.0, 1.0);
}

} // namespace halfstep::measure
