#pragma once
#include <chrono>
#include <cstdint>

namespace halfstep::ui {

/// What this process uses of the machine.
struct Usage {
    double cpuShare = 0;           ///< of all cores since the last reading, 0 to 1
    std::uint64_t memoryBytes = 0; ///< resident
};

class SystemUsage {
public:
    explicit SystemUsage(int cores);
    /// Reads /proc; call it about once a second.
    Usage read();

private:
    int m_cores;
    std::chrono::steady_clock::time_point m_readAt;
    double m_cpuSeconds;
};

} // namespace halfstep::ui
