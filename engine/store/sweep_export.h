#pragma once
#include "engine/values/sweep.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace halfstep::store {

/// The cells CSV: one row a cell, lines ended by \n. Figures of a cell that did not run are empty.
std::string cellsCsv(const values::Sweep& sweep);

/// sweep, status, message, data_name, started_at, ended_at, config, environment, governor, data_cache_bytes, cells:
/// for each the CSV's columns (null where the CSV is empty), then the speed-up in words with its interval, warm-up
/// and waiting, what its memory is made of, and its rounds as they were measured.
nlohmann::ordered_json sweepJson(const values::Sweep& sweep);

/// sweep, status, message, data_name, started_at, ended_at, cells, rounds_done, config: what a list of sweeps says.
nlohmann::ordered_json sweepSummaryJson(const values::Sweep& sweep);

} // namespace halfstep::store
