#pragma once
#include <ctime>

namespace halfstep::bench {

/// Milliseconds of processor time of all threads of this process, spinning included: unlike wall time it does not
/// grow while other programs have the cores.
inline double processMilliseconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

} // namespace halfstep::bench
