#pragma once
#include "ui/pages/run_estimate.h"
#include "ui/report/sweep_charts.h"

namespace halfstep::ui {

/// What Start will do, in one sentence: "12 cells × 3 rounds × 12 steps: about 1 min, as measured before."
QString planSentence(const values::SweepConfig& config, const StepTimes& times, int cores);

/// For the sentences that say how long runs and sweeps take: what the cells' steps took.
void remember(StepTimes& times, const MeasuredSweep& measured);

} // namespace halfstep::ui
