#pragma once
#include "engine/analysis/sweep_figures.h"
#include "engine/values/sweep.h"
#include <cstdint>
#include <optional>
#include <string>

/// Figures as people say them: rounded, with a point in every locale. Files for programs have values::numberText.
namespace halfstep::report {

/// "512 bytes", "1.5 GiB"
std::string bytesText(std::uint64_t bytes);
/// "1980", "45.3", "9.84": three or four figures.
std::string millisecondsText(double milliseconds);
/// "0.8000" or, without a value, "-".
std::string fixedText(const std::optional<double>& value);
/// Of a share: "63.4 %", "<0.01 %" where it is not 0 but less.
std::string percentText(double share);
/// "41.2 to 42.5"
std::string millisecondsText(const analysis::Interval& interval);
/// "1.12x faster (1.08 to 1.15)", "baseline"
std::string speedUpText(const analysis::SpeedUp& speedUp);
/// "mixed_float16, batch 32, cpu auto"
std::string cellText(const values::CellKey& key);

} // namespace halfstep::report
