#pragma once
#include "engine/data/data_loader.h"
#include "engine/train/checkpoint_folder.h"
#include "engine/train/numerics_observer.h"
#include "engine/train/trainer.h"
#include "engine/train/training_state.h"
#include "engine/train/training_step.h"
#include <chrono>

namespace halfstep::train {

/// One run from its start, or from a checkpoint, to its end.
class TrainingRun {
public:
    /// `report`, `control` and `where` outlive this.
    TrainingRun(const values::ExperimentConfig& config, std::shared_ptr<const data::Dataset> dataset,
                std::shared_ptr<backend::Backend> device, values::RunPlan plan, const values::EventSink& report,
                const RunControl& control, RunStart start, Whereabouts& where);

    values::RunSummary toEnd();
    std::vector<NamedArray> weights();

private:
    using Clock = std::chrono::steady_clock;

    void takeUp(const RunStart& start);
    bool goesOn();
    void trainEpoch();
    StepOutcome trainStep(const data::Batch& batch, Clock::time_point asked);
    void diverge(const std::string& message);
    /// False if it was stopped before its end; then the run goes on with it when it is resumed.
    bool validateInto(values::EpochRecord& record);
    void finishEpoch();
    void judgeEpoch(const values::EpochRecord& record);
    /// Brings the seconds of the position up to now.
    void countTime();
    void keepCheckpoint();

    values::ExperimentConfig m_config;
    std::shared_ptr<const data::Dataset> m_dataset;
    values::RunPlan m_plan;
    const values::EventSink& m_report;
    const RunControl& m_control;
    Whereabouts& m_where;
    TrainingState m_state;
    TrainingStep m_step;
    NumericsObserver m_numerics;
    std::optional<CheckpointFolder> m_folder;
    CheckpointState m_checkpoint;         ///< what does not change, for every checkpoint
    std::optional<RunPosition> m_written; ///< of the last checkpoint of this run
    RunPosition m_position;
    BestEpoch m_best;
    Clock::time_point m_countedUntil; ///< the position's seconds
    std::vector<values::StepRecord> m_steps;
    values::RunSummary m_summary;
    bool m_stoppedEarly = false;
};

} // namespace halfstep::train
