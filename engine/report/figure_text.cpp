#include "engine/report/figure_text.h"
#include <array>
#include <fmt/format.h>

namespace halfstep::report {

std::string bytesText(std::uint64_t bytes) {
    constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
        return fmt::format("{} bytes", bytes);
    }
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1023.95 && unit + 1 < kUnits.size()) { // would be shown as 1024.0
        value /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string millisecondsText(double milliseconds) {
    return milliseconds >= 99.95   ? fmt::format("{:.0f}", milliseconds)
           : milliseconds >= 9.995 ? fmt::format("{:.1f}", milliseconds)
                                   : fmt::format("{:.2f}", milliseconds);
}

std::string fixedText(const std::optional<double>& value) {
    return value ? fmt::format("{:.4f}", *value) : "-";
}

std::string percentText(double share) {
    const double percent = share * 100;
    return percent > 0 && percent < 0.01 ? "<0.01 %"
           : percent < 1                 ? fmt::format("{:.2f} %", percent)
                                         : fmt::format("{:.1f} %", percent);
}

std::string millisecondsText(const analysis::Interval& interval) {
    return fmt::format("{} to {}", millisecondsText(interval.low), millisecondsText(interval.high));
}

std::string speedUpText(const analysis::SpeedUp& speedUp) {
    return speedUp.word == "baseline"
               ? speedUp.word
               : fmt::format("{} ({:.2f} to {:.2f})", speedUp.word, speedUp.interval.low, speedUp.interval.high);
}

std::string cellText(const values::CellKey& key) {
    return fmt::format("{}, batch {}, {} {}", precision::traitsOf(key.policy).name, key.batchSize, key.device,
                       key.isa);
}

} // namespace halfstep::report
