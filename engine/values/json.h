#pragma once
#include "engine/values/environment.h"
#include "engine/values/experiment_config.h"
#include "engine/values/run_summary.h"
#include <nlohmann/json_fwd.hpp>

namespace halfstep::values {

/// Serialized names are snake_case. A number that is not finite is written as the string "nan", "inf" or "-inf".
nlohmann::ordered_json toJson(const ExperimentConfig& config);
/// Throws ConfigError naming the field if a value has the wrong type; a missing field keeps its default.
ExperimentConfig experimentConfigFrom(const nlohmann::ordered_json& json);

nlohmann::ordered_json toJson(const Environment& environment);
Environment environmentFrom(const nlohmann::ordered_json& json);

/// The contract of `train --json`: run, status, steps, epochs, skipped_steps, median_step_ms, peak_bytes,
/// final {loss, accuracy, val_loss, val_accuracy}, epochs_log, environment, config.
nlohmann::ordered_json toJson(const RunSummary& summary, const Environment& environment,
                              const ExperimentConfig& config);

/// A double as JSON: the number, or its text where JSON has none.
nlohmann::ordered_json numberJson(double value);

} // namespace halfstep::values
