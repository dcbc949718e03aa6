#pragma once
#include "engine/values/sweep.h"
#include <nlohmann/json_fwd.hpp>

namespace halfstep::values {

/// Serialized names are snake_case, as in json.h; `base` holds the settings of json.h.
nlohmann::ordered_json toJson(const SweepConfig& config);
/// Throws ConfigError naming the field if a value has the wrong type; a missing field keeps its default.
SweepConfig sweepConfigFrom(const nlohmann::ordered_json& json);

/// policy, batch_size, device, isa (as asked), status, message, device_text, used_isa, predicted {variables, ...,
/// peak} (null if unknown), free_bytes, largest_batch, convolutions. Rounds are documents of their own.
nlohmann::ordered_json toJson(const SweepCell& cell);
SweepCell sweepCellFrom(const nlohmann::ordered_json& json);

/// round, position, started_at, warmup_ms, step_ms, wait_ms, loss, peak_bytes, load_average, clock_mhz, other_share.
nlohmann::ordered_json toJson(const CellRound& round);
CellRound cellRoundFrom(const nlohmann::ordered_json& json);

} // namespace halfstep::values
