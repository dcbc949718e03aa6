#pragma once
#include "engine/data/data_loader.h"
#include "engine/measure/step_timer.h"
#include "engine/train/training_state.h"
#include "engine/train/training_step.h"
#include "engine/values/profile.h"
#include <memory>
#include <vector>

namespace halfstep::measure {

/// A training that is made to be timed: step by step, with the clock or without, on the batches of a real run.
class ProfiledTraining {
public:
    /// `config` as it runs on `device`, which has been asked for its memory; at most `mostSteps` steps will be made.
    ProfiledTraining(const values::ExperimentConfig& config, std::shared_ptr<const data::Dataset> dataset,
                     std::shared_ptr<backend::Backend> device, std::int64_t mostSteps);

    /// Makes a step that does not count. True if it was whole, as the others.
    bool warmUp(bool timed);
    /// Makes a step that counts, unless its gradients are not finite: then false. What is done after a step of that
    /// kind is of no use to a table of times.
    bool profiled();
    bool unprofiled();

    /// With times and facts; the environment and the ceilings are the caller's.
    values::StepProfile profile() const;

private:
    bool step(bool timed, double& milliseconds);

    values::ExperimentConfig m_config;
    std::shared_ptr<backend::Backend> m_device;
    std::int64_t m_classes;
    train::TrainingState m_state;
    train::TrainingStep m_step;
    std::unique_ptr<data::DataLoader> m_loader;
    StepTimer m_timer;
    std::vector<double> m_profiled, m_unprofiled; ///< milliseconds
    double m_processorMilliseconds = 0;           ///< of all threads, in the unprofiled steps
    double m_warmUpMilliseconds = 0;
    std::int64_t m_warmUpSteps = 0, m_skipped = 0;
};

} // namespace halfstep::measure
