#pragma once
#include "engine/data/dataset.h"
#include "engine/train/checkpoint.h"
#include "engine/train/run_control.h"
#include "engine/values/experiment_config.h"
#include "engine/values/run_event.h"
#include "engine/values/run_summary.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

/// What a run takes up beside its configuration.
struct RunStart {
    std::int64_t run = 0;               ///< its number in the history, for its checkpoints
    std::string halfstepVersion{};      ///< likewise
    std::vector<NamedArray> weights{};  ///< the first weights; drawn from the seed if there are none
    std::optional<Checkpoint> resume{}; ///< where to go on, with what the run has recorded up to there:
    std::vector<values::StepRecord> steps{};
    std::vector<values::EpochRecord> epochs{};
};

/// Trains the article's convnet on one set under one configuration.
class Trainer {
public:
    Trainer(values::ExperimentConfig config, std::shared_ptr<const data::Dataset> dataset,
            std::shared_ptr<backend::Backend> device);

    /// Steps of the run as configured, known before it starts.
    values::RunPlan plan() const;

    /// Blocks until the last epoch is done or a stop is requested, looking at `control` once a step and once a
    /// validation batch. A stop is a normal return with status Stopped, not an error.
    ///
    /// With a folder for checkpoints in the configuration it leaves one at the end of every epoch and of the run
    /// (unless that diverged), and every checkpointEvery steps. One that cannot be written is a warning.
    ///
    /// Throws OutOfMemoryError that says where (FailedAllocation) if memory is not given on the way; nothing of the
    /// run is held then but the device's own scratch memory. Throws DataError if the weights or the checkpoint of
    /// `start` are of another network.
    values::RunSummary run(const values::EventSink& report, const RunControl& control, RunStart start = {});

    /// All variables as the last run left them, under Keras' names.
    const std::vector<NamedArray>& weights() const { return m_weights; }

private:
    values::ExperimentConfig m_config;
    std::shared_ptr<const data::Dataset> m_dataset;
    std::shared_ptr<backend::Backend> m_device;
    std::vector<NamedArray> m_weights;
};

} // namespace halfstep::train
