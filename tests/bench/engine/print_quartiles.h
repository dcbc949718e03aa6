#pragma once
#include "engine/analysis/statistics.h"
#include <fmt/format.h>
#include <string>
#include <vector>

namespace halfstep::bench {

/// A line with the median and the quartiles of a sample.
inline void printQuartiles(const std::string& what, const std::vector<double>& sample, const char* unit) {
    const analysis::Quartiles q = analysis::quartiles(sample).value();
    fmt::print("{:<46} median {:9.3f} {}   quartiles {:9.3f} to {:9.3f}\n", what, q.median, unit, q.q25, q.q75);
}

} // namespace halfstep::bench
