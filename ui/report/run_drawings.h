#pragma once
#include "engine/report/drawing.h"

namespace halfstep::ui {

/// Loss and accuracy of a run over its steps: every step thin, smoothed bold, validation as marks.
std::vector<report::Drawing> runDrawings(const report::RunRecord& run, std::size_t index);

/// Several runs: loss and accuracy over each other, and ms per step as bars with their quartiles.
std::vector<report::Drawing> comparisonDrawings(const std::vector<report::RunRecord>& runs);

} // namespace halfstep::ui
