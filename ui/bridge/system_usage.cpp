#include "ui/bridge/system_usage.h"
#include <algorithm>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace halfstep::ui {

namespace {

double cpuSecondsOfThisProcess() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::uint64_t residentBytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

SystemUsage::SystemUsage(int cores)
    : m_cores(std::max(cores, 1)),
      m_readAt(std::chrono::steady_clock::now()),
      m_cpuSeconds(cpuSecondsOfThisProcess()) {}

Usage SystemUsage::read() {
    const auto now = std::chrono::steady_clock::now();
    const double cpuSeconds = cpuSecondsOfThisProcess();
    const double elapsed = std::chrono::duration<double>(now - m_readAt).count();
    Usage usage;
    usage.cpuShare = elapsed > 0 ? std::clamp((cpuSeconds - m_cpuSeconds) / elapsed / m_cores, 0.0, 1.0) : 0;
    usage.memoryBytes = residentBytes();
    m_readAt = now;
    m_cpuSeconds = cpuSeconds;
    return usage;
}

} // namespace halfstep::ui
