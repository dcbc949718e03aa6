#pragma once
#include "engine/data/dataset.h"
#include "engine/train/run_control.h"
#include "engine/values/sweep.h"
#include <chrono>
#include <functional>
#include <memory>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::measure {

/// Makes the device of a cell; train::makeDevice with a run's places, or a test's own.
using DeviceMaker = std::function<std::shared_ptr<backend::Backend>(const values::ExperimentConfig&)>;

/// Finds out what can be known of a cell before its first step: device, prediction of its memory, how its
/// convolutions are done (tried out here, once for a machine, never in a step). What cannot work is a state of the
/// cell (Oom, Unsupported, Failed), not an exception.
values::SweepCell preparedCell(const values::SweepConfig& config, const values::CellKey& key, std::int64_t classes,
                               const DeviceMaker& makeDevice);

/// What a round of a cell needs beside its configuration.
struct RoundTask {
    const values::SweepConfig& config;
    std::shared_ptr<const data::Dataset> dataset; ///< null where the input is synthetic
    std::int64_t classes = 10;
    const DeviceMaker& makeDevice;
    std::function<void(const values::SweepStep&)> report;                                        ///< told every step
    std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now; ///< what times them
};

/// Measures `cell` once more, on a device of its own, from the first weights, and adds `round` (which has its number
/// and position) to it. Gradients that are not finite cost a second pass that looks for the reason: such a step does
/// not count, and another is made.
///
/// Memory that runs out, wherever, makes the cell Oom, another trouble Failed; nothing of the round is kept then.
/// Throws Cancelled if a stop is requested meanwhile.
void measureRound(values::SweepCell& cell, std::size_t index, values::CellRound round, const RoundTask& task,
                  const std::stop_token& stop);

} // namespace halfstep::measure
