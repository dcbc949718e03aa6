#pragma once
#include "engine/store/run_store.h"
#include "engine/train/checkpoint.h"
#include "engine/train/experiment.h"
#include <cstdint>
#include <optional>

namespace halfstep::train {

/// A run to go on with, and what may differ from its first part: nothing that changes a number.
struct ResumeRequest {
    std::int64_t run = 0;
    std::optional<int> epochs{};                   ///< the new end of the run
    std::optional<std::int64_t> steps{};           ///< likewise; the later of the two settings counts
    std::optional<int> threads{};                  ///< 0: all cores
    std::optional<std::int64_t> checkpointEvery{}; ///< steps
    std::optional<std::uint64_t> memoryLimitBytes{};
};

/// Goes on with a run of the history from its last checkpoint, under its own number, so that what comes out equals an
/// uninterrupted run to the bit. Events, blocking and troubles are as in runExperiment.
///
/// Throws ConfigError if there is no such run, it is still running, has diverged, has no checkpoints or nothing left
/// to do, and DataError if the checkpoint is gone, damaged, of a newer version, of another run or network, or the set
/// is another one. Then nothing has changed, in the history or elsewhere.
RunOutcome resumeExperiment(const ResumeRequest& request, const Places& places, const values::EventSink& report,
                            const RunControl& control);

/// The last checkpoint of a run of the history. Throws ConfigError if it was made without, DataError if it is gone,
/// damaged, of a newer version or of another run.
Checkpoint lastCheckpointOf(const store::StoredRun& run);

} // namespace halfstep::train
