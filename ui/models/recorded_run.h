#pragma once
#include "engine/train/experiment.h"
#include "engine/values/run_event.h"
#include "ui/bridge/run_history.h"
#include <vector>

namespace halfstep::ui {

/// What a run of the history reported while it went on: its plan, then steps and epochs in their order. The plan's
/// steps of an epoch are those of the first one that was completed (0 if none was). Guesses were not kept.
std::vector<values::RunEvent> eventsOf(const RunRecords& records);

/// How it ended, as it was told then.
train::RunOutcome outcomeOf(const RunRecords& records);

} // namespace halfstep::ui
