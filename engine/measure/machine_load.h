#pragma once
#include <chrono>
#include <optional>
#include <string>

namespace halfstep::measure {

/// The machine's load over one minute; empty where the kernel does not tell. Likewise the others.
std::optional<double> loadAverage();
/// Mean clock of the cores, MHz.
std::optional<double> clockMegahertz();
/// Of the first core's clock: "performance", "schedutil"; empty where the kernel does not tell.
std::string clockGovernor();

/// Watches how much of the machine's processor time other processes take.
class OtherProcesses {
public:
    /// From now on.
    OtherProcesses();
    /// Share of the time of all the machine's cores since then, 0 to 1: what was used less what this process used.
    std::optional<double> share() const;

private:
    struct Times {
        double busySeconds = 0, allSeconds = 0; ///< of all cores
        double ownSeconds = 0;                  ///< of this process
    };
    static std::optional<Times> now();

    std::optional<Times> m_begin;
};

} // namespace halfstep::measure
