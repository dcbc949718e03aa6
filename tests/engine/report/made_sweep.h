#pragma once
#include "engine/report/run_tables.h"
#include "engine/values/sweep.h"
#include <string>
#include <vector>

namespace halfstep::report {

/// A cell with three rounds of four steps around `milliseconds`.
values::SweepCell timedCell(precision::Policy policy, int batchSize, double milliseconds,
                            const std::string& isa = "avx2");

/// float32 and mixed_float16 at batch 8 and 32: mixed_float16 twice as fast at 8, out of memory at 32.
values::Sweep madeSweep(const std::string& name = {});

/// A run of two epochs of three steps, seed 1.
RunRecord madeRun(const std::string& name = {});

} // namespace halfstep::report
