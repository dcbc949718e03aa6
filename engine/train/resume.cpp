#include "engine/train/resume.h"
#include "engine/backend/backend.h"
#include "engine/tensor/error.h"
#include "engine/train/checkpoint_folder.h"
#include "engine/train/conduct_run.h"
#include "engine/train/resume_checks.h"
#include <fmt/format.h>

namespace halfstep::train {
using values::RunStatus;
using values::Severity;

namespace {

store::StoredRun resumableRun(const store::RunStore& store, std::int64_t id) {
    const auto refuse = [id](const std::string& reason) {
        throw ConfigError("resume", fmt::format("Run {} cannot be resumed: {}.", id, reason));
    };
    const std::optional<store::StoredRun> run = store.run(id);
    if (!run) {
        throw ConfigError(
            "resume",
            fmt::format("There is no run {} to resume; `halfstep runs list` shows those that there are.", id));
    }
    if (run->status == RunStatus::Running) {
        refuse("it is still running; stop it first");
    }
    if (run->status == RunStatus::Diverged) {
        refuse("it diverged, and would do so again at the same step; start a new run with a lower --learning-rate, "
               "from weights of before if you like (--weights)");
    }
    return *run;
}

values::ExperimentConfig changed(values::ExperimentConfig config, const ResumeRequest& request) {
    if (request.epochs) {
        config.epochs = *request.epochs;
        config.steps.reset();
    }
    config.steps = request.steps ? request.steps : config.steps;
    config.threads = request.threads.value_or(config.threads);
    config.checkpointEvery = request.checkpointEvery ? request.checkpointEvery : config.checkpointEvery;
    config.memoryLimitBytes = request.memoryLimitBytes ? request.memoryLimitBytes : config.memoryLimitBytes;
    return config;
}

/// What may change the last bits of the numbers, or the record of them.
std::vector<values::Notice> remarksOn(const store::StoredRun& run, const Checkpoint& checkpoint,
                                      const values::Environment& now, std::size_t stepsInHistory) {
    const RunPosition& position = checkpoint.state.position;
    std::vector<values::Notice> remarks{
        {Severity::Information, fmt::format("Run {} goes on after step {}, in epoch {}, from \"{}\".", run.id,
                                            position.step, position.epoch, checkpoint.folder.string())}};
    const auto compare = [&](const char* what, const std::string& before, const std::string& after) {
        if (before != after) {
            remarks.push_back({Severity::Warning,
                               fmt::format("The {} is {}, and was {} when the run began: its numbers may differ from "
                                           "an uninterrupted run's in the last bits.",
                                           what, after, before)});
        }
    };
    compare("instruction set", run.environment.isa, now.isa);
    compare("version of Halfstep", run.environment.halfstepVersion, now.halfstepVersion);
    compare("version of oneDNN", run.environment.oneDnnVersion, now.oneDnnVersion);
    if (!run.environment.convolutions.empty() && run.environment.convolutions != now.convolutions) {
        remarks.push_back({Severity::Warning,
                           "A convolution is done by another algorithm than when the run began: its "
                           "numbers may differ from an uninterrupted run's in the last bits."});
    }
    if (static_cast<std::int64_t>(stepsInHistory) != position.step) {
        remarks.push_back({Severity::Warning, fmt::format("The history holds {} of the {} steps up to there.",
                                                          stepsInHistory, position.step)});
    }
    return remarks;
}

} // namespace

Checkpoint lastCheckpointOf(const store::StoredRun& run) {
    if (run.config.checkpoint.empty()) {
        throw ConfigError("checkpoint",
                          fmt::format("Run {} has no checkpoint: it was made without --checkpoint DIR.", run.id));
    }
    Checkpoint checkpoint = CheckpointFolder(run.config.checkpoint).read();
    if (checkpoint.state.run != run.id) {
        throw DataError(
            fmt::format("The checkpoint \"{}\" cannot be used for run {}: it is of run {}; put the run's own "
                        "checkpoint back, or start a new run.",
                        checkpoint.folder.string(), run.id, checkpoint.state.run));
    }
    return checkpoint;
}

RunOutcome resumeExperiment(const ResumeRequest& request, const Places& places, const values::EventSink& report,
                            const RunControl& control) {
    store::RunStore store(places.historyFile);
    const store::StoredRun stored = resumableRun(store, request.run);
    Checkpoint checkpoint = lastCheckpointOf(stored);
    values::ExperimentConfig config = changed(checkpoint.state.config, request);
    config.checkpoint = stored.config.checkpoint;
    throwFirstProblem(config);
    const std::shared_ptr<backend::Backend> device = makeDevice(config, places);
    requireMemory(config, *device);
    const std::shared_ptr<const data::Dataset> dataset = openPictures(config, places, report, control);
    const values::RunPlan plan = Trainer(config, dataset, device).plan();
    requireFitting(checkpoint, config, *dataset, plan);
    requireSomethingLeft(checkpoint.state, config, plan);
    requireMemory(config, *device, *dataset);
    CheckpointFolder(config.checkpoint).prepare();

    RunOutcome outcome = outcomeToBe(config, *device, *dataset);
    const RunPosition& position = checkpoint.state.position;
    store.reopen(stored.id, position.step, position.epoch - 1, outcome.config);
    RunStart start{.run = stored.id, .steps = store.steps(stored.id), .epochs = store.epochs(stored.id)};
    std::vector<values::Notice> remarks = remarksOn(stored, checkpoint, outcome.environment, start.steps.size());
    start.resume = std::move(checkpoint);
    return conduct({.device = device,
                    .dataset = dataset,
                    .store = std::move(store),
                    .start = std::move(start),
                    .outcome = std::move(outcome),
                    .remarks = std::move(remarks)},
                   places, report, control);
}

} // namespace halfstep::train
