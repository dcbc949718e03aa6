#pragma once
#include "engine/values/environment.h"
#include "engine/values/experiment_config.h"
#include "engine/values/numerics.h"
#include "engine/values/profile.h"
#include "engine/values/run_summary.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace halfstep::values {

/// Serialized names are snake_case. A number that is not finite is written as the string "nan", "inf" or "-inf".
nlohmann::ordered_json toJson(const ExperimentConfig& config);
/// Throws ConfigError naming the field if a value has the wrong type; a missing field keeps its default.
ExperimentConfig experimentConfigFrom(const nlohmann::ordered_json& json);

nlohmann::ordered_json toJson(const Environment& environment);
Environment environmentFrom(const nlohmann::ordered_json& json);

/// [{layer, pass, algorithm}]
nlohmann::ordered_json toJson(const std::vector<ConvolutionUse>& uses);
std::vector<ConvolutionUse> convolutionUsesFrom(const nlohmann::ordered_json& list);

/// epoch, loss, accuracy, val_loss, val_accuracy (null without validation), seconds.
nlohmann::ordered_json toJson(const EpochRecord& epoch);

/// The contract of `train --json`: run (null if it never got an id), status, steps, epochs, skipped_steps,
/// median_step_ms, peak_bytes, final {loss, accuracy, val_loss, val_accuracy} (null where unknown), epochs_log,
/// environment, config, message.
nlohmann::ordered_json toJson(const RunSummary& summary, const Environment& environment,
                              const ExperimentConfig& config);

/// step, loss_scale, tensors [{layer, tensor, pass, role, dtype, elements, zeros, infinities, nans, largest,
/// first_exponent, counts}]: counts[i] elements have the binary exponent first_exponent + i.
nlohmann::ordered_json toJson(const NumericsRecord& record);
/// Throws StoreError if anything is missing.
NumericsRecord numericsFrom(const nlohmann::ordered_json& json);

/// profiled_step, unprofiled_step {median_ms, q25_ms, q75_ms}, sum_of_parts_ms, processor_share, steps, warmup_steps,
/// warmup_ms, skipped_steps, classes, ceilings, parts [{layer, operation, kind, median_ms, q25_ms, q75_ms, share,
/// flops, direct_flops, bytes, algorithm}], environment, config.
nlohmann::ordered_json toJson(const StepProfile& profile);
/// Throws StoreError if anything is missing.
StepProfile stepProfileFrom(const nlohmann::ordered_json& json);

/// A double as JSON: the number, or its text where JSON has none.
nlohmann::ordered_json numberJson(double value);

/// The document's text, `indent` spaces a level (-1: one line), numbers as numberText writes them. Bytes that are not
/// UTF-8 (a file's name may hold any) become U+FFFD instead of an error.
std::string jsonText(const nlohmann::ordered_json& json, int indent = 2);

} // namespace halfstep::values
