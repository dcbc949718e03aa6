#pragma once
#include "ui/models/run_comparison.h"
#include <vector>

namespace halfstep::ui {

/// Runs of one configuration, each with another seed.
struct SeedGroup {
    RunList runs{}; ///< in the order given
};

/// Runs that differ in nothing but the seed, and in what changes no result: name, threads, checkpoints, how often
/// numbers are recorded. Two runs with the same seed are no two samples: the later one begins a group of its own.
/// Groups stand in the order of their first runs.
std::vector<SeedGroup> seedGroups(const RunList& runs);

/// The mean of a group's curves, and between which values they lie.
struct Band {
    std::vector<QPointF> mean;
    std::vector<QPointF> low;
    std::vector<QPointF> high;
};

/// Of the smoothed training values, as far as the shortest run goes; x is the mean of the runs' x, which are the same
/// but for seconds. Not finite where any of the runs is not.
Band trainingBand(const std::vector<RunCurves>& curves);
/// Likewise of the validation after each epoch.
Band validationBand(const std::vector<RunCurves>& curves);

} // namespace halfstep::ui
