#pragma once
#include "engine/data/dataset.h"
#include "engine/store/run_store.h"
#include "engine/train/experiment.h"
#include "engine/train/trainer.h"
#include <memory>
#include <vector>

/// What runExperiment and resumeExperiment have in common.
namespace halfstep::train {

void throwFirstProblem(const values::ExperimentConfig& config);
std::shared_ptr<backend::Backend> makeDevice(const values::ExperimentConfig& config, const Places& places);
std::shared_ptr<const data::Dataset> openPictures(const values::ExperimentConfig& config, const Places& places,
                                                  const values::EventSink& report, const RunControl& control);
/// Throws OutOfMemoryError (train/memory_plan.h) if the device has no room for the run: before the data are known,
/// for whole batches and ten classes; after that, for all its batches, for which the device first finds out how to do
/// their convolutions.
void requireMemory(const values::ExperimentConfig& config, const backend::Backend& device);
void requireMemory(const values::ExperimentConfig& config, backend::Backend& device, const data::Dataset& dataset);
/// The environment, and the configuration as it will run: device and threads resolved; with checkpoints, paths that
/// hold from any folder.
RunOutcome outcomeToBe(const values::ExperimentConfig& config, backend::Backend& device,
                       const data::Dataset& dataset);

/// A run that is running in the history.
struct BegunRun {
    std::shared_ptr<backend::Backend> device;
    std::shared_ptr<const data::Dataset> dataset;
    store::RunStore store;
    RunStart start;
    RunOutcome outcome;                    ///< outcomeToBe
    std::vector<values::Notice> remarks{}; ///< to be told first
};

/// Trains and records, to the end of the run.
RunOutcome conduct(BegunRun run, const Places& places, const values::EventSink& report, const RunControl& control);

} // namespace halfstep::train
