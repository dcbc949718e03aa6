#pragma once
#include "engine/train/run_control.h"
#include "engine/values/environment.h"
#include "engine/values/experiment_config.h"
#include "engine/values/run_event.h"
#include "engine/values/run_summary.h"
#include <filesystem>

namespace halfstep::train {

/// Where a run keeps what it makes.
struct Places {
    std::filesystem::path cacheFolder{}; ///< decoded images
    std::filesystem::path historyFile{}; ///< SQLite; made if missing
    std::filesystem::path weightsFile{}; ///< for the final weights (safetensors); none if empty
};

/// Where `chosen` leaves a path empty: HALFSTEP_CACHE and HALFSTEP_HISTORY if they are set, else the user's own
/// folders.
Places userPlaces(const Places& chosen = {});

struct RunOutcome {
    values::RunSummary summary;
    values::Environment environment;
    values::ExperimentConfig config; ///< as it ran: device and threads resolved
};

/// One whole run, for the window and the command line alike: opens the data (DataProgress), enters the run in the
/// history, trains, and records every event before `report` sees it. Blocks.
///
/// Throws ConfigError, DataError, BackendError (OutOfMemoryError if the device has too little memory for its steps),
/// StoreError or Cancelled where the run could not start; then nothing
/// is in the history. Once it has an id, trouble is a summary with status Failed and a message, and the run stays in
/// the history; an OutOfMemoryError, and a StoreError if the final weights could not be written, are thrown on after
/// that.
RunOutcome runExperiment(const values::ExperimentConfig& config, const Places& places,
                         const values::EventSink& report, const RunControl& control);

} // namespace halfstep::train
