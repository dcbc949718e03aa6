#pragma once
#include "engine/precision/loss_scaler.h"
#include "engine/values/run_event.h"
#include <optional>
#include <string>

namespace halfstep::train {

/// Why a run cannot go on after this step, as a sentence; empty if it can. `scaler` has seen the step, and is null
/// where gradients are not scaled.
std::string divergenceOf(const values::StepRecord& step, const precision::LossScaler* scaler);

/// What a person should know of a step after which the run goes on: that it was skipped, or that the scale grew.
std::optional<values::Notice> remarkOn(const values::StepRecord& step, const precision::LossScaler* scaler);

} // namespace halfstep::train
