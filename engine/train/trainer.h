#pragma once
#include "engine/data/dataset.h"
#include "engine/train/run_control.h"
#include "engine/values/experiment_config.h"
#include "engine/values/run_event.h"
#include "engine/values/run_summary.h"
#include <memory>

namespace halfstep::backend {
class Backend;
}

namespace halfstep::train {

/// Trains the article's convnet on one set under one configuration.
class Trainer {
public:
    Trainer(values::ExperimentConfig config, std::shared_ptr<const data::Dataset> dataset,
            std::shared_ptr<backend::Backend> device);

    /// Steps of the run as configured, known before it starts.
    values::RunPlan plan() const;

    /// Blocks until the last epoch is done or a stop is requested, looking at `control` once a step and once a
    /// validation batch. A stop is a normal return with status Stopped, not an error.
    values::RunSummary run(const values::EventSink& report, const RunControl& control);

private:
    values::ExperimentConfig m_config;
    std::shared_ptr<const data::Dataset> m_dataset;
    std::shared_ptr<backend::Backend> m_device;
};

} // namespace halfstep::train
