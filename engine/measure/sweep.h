#pragma once
#include "engine/measure/sweep_cell.h"
#include "engine/train/experiment.h"
#include "engine/train/run_control.h"
#include "engine/values/sweep.h"
#include <cstdint>

namespace halfstep::measure {

/// Measures every cell of the sweep in every round, each round in a shuffled order of its own (data::shuffledOrder of
/// orderSeed and the round), so that a machine that drifts does so for all cells alike. Enters the sweep in the
/// history and every round of a cell as soon as it is measured. Blocks.
///
/// A cell that runs out of memory, or cannot run, is a state of that cell and never ends the sweep. A pause takes
/// effect between two cells, a stop after the current step; what the interrupted cell had of that round is dropped.
///
/// Throws ConfigError, DataError, StoreError or Cancelled where the sweep could not start; then nothing is in the
/// history. Once it has an id, trouble with the history is a StoreError after the sweep is marked as failed.
values::Sweep runSweep(const values::SweepConfig& config, const train::Places& places,
                       const values::SweepSink& report, const train::RunControl& control,
                       DeviceMaker makeDevice = {});

/// What is to be done with a sweep that has ended.
struct SweepContinuation {
    std::int64_t sweep = 0;
    int moreRounds = 0; ///< beyond those it was to have
    std::vector<std::size_t>
        anew{}; ///< cells that are to be measured from their first round on, such as disturbed ones
};

/// Goes on where it was stopped, or killed: with the rounds that are missing. Throws StoreError if there is no such
/// sweep or it runs, DataError if the pictures are not the sweep's own.
values::Sweep resumeSweep(const SweepContinuation& continuation, const train::Places& places,
                          const values::SweepSink& report, const train::RunControl& control,
                          DeviceMaker makeDevice = {});

} // namespace halfstep::measure
