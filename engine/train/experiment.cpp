#include "engine/train/experiment.h"
#include "engine/backend/backend.h"
#include "engine/backend/machine.h"
#include "engine/data/dataset.h"
#include "engine/data/user_folders.h"
#include "engine/store/run_store.h"
#include "engine/tensor/error.h"
#include "engine/train/environment.h"
#include "engine/train/run_recorder.h"
#include "engine/train/trainer.h"
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <new>

namespace halfstep::train {
namespace {
using values::RunStatus;
using values::Severity;

void throwFirstProblem(const values::ExperimentConfig& config) {
    const auto problems = values::problemsOf(config);
    if (!problems.empty()) {
        throw ConfigError(problems.front().field, problems.front().sentence);
    }
}

/// What a person should know before the first step.
void reportRemarks(const data::DatasetInfo& info, const values::ExperimentConfig& config,
                   const values::EventSink& report) {
    for (const std::string& warning : info.warnings) {
        report(values::Notice{Severity::Warning, warning});
    }
    if (!info.skipped.empty()) {
        report(values::Notice{Severity::Warning,
                              fmt::format("{} of {} files cannot be used and are left out; the first is {}: {}.",
                                          info.skipped.size(), info.found, info.skipped.front().path,
                                          info.skipped.front().reason)});
    }
    for (const std::string& warning : values::warningsOf(config)) {
        report(values::Notice{Severity::Warning, warning});
    }
    if (const int cores = backend::usableCores(); config.threads > cores) {
        report(values::Notice{Severity::Warning,
                              fmt::format("{} threads share {} cores; steps take longer than with {} threads.",
                                          config.threads, cores, cores)});
    }
}

/// The summary of a run that ended by an exception, which is rethrown to tell what it was.
values::RunSummary summaryOfTrouble(const RunRecorder& recorder, const values::ExperimentConfig& config,
                                    const backend::Backend& device) {
    values::RunSummary summary = recorder.summaryOfRecords(config.batchSize);
    summary.status = RunStatus::Failed;
    summary.peakBytes = static_cast<std::int64_t>(device.peakBytes());
    try {
        throw;
    } catch (const Cancelled&) {
        summary.status = RunStatus::Stopped;
    } catch (const std::bad_alloc&) {
        summary.message = "The machine's memory ran out; choose a smaller batch or image size.";
    } catch (const std::exception& error) {
        summary.message = error.what();
    } catch (...) {
        summary.message = "The run ended for a reason that no part of the program explains.";
    }
    return summary;
}

} // namespace

Places userPlaces(const Places& chosen) {
    const auto orSetting = [](const std::filesystem::path& path, const char* name) -> std::filesystem::path {
        const char* value = std::getenv(name);
        return path.empty() && value != nullptr ? value : path;
    };
    Places places{orSetting(chosen.cacheFolder, "HALFSTEP_CACHE"), orSetting(chosen.historyFile, "HALFSTEP_HISTORY")};
    if (places.cacheFolder.empty()) {
        places.cacheFolder = data::userCacheFolder();
    }
    if (places.historyFile.empty()) {
        places.historyFile = data::userDataFolder() / "runs.sqlite";
    }
    return places;
}

RunOutcome runExperiment(const values::ExperimentConfig& config, const Places& places,
                         const values::EventSink& report, const RunControl& control) {
    throwFirstProblem(config);
    // What can refuse comes before what takes long: the device and the history before the pictures.
    const std::shared_ptr<backend::Backend> device =
        backend::makeBackend({.device = config.device,
                              .threads = config.threads,
                              .isa = config.isa,
                              .memoryLimitBytes = config.memoryLimitBytes,
                              .convolution = config.convolution});
    store::RunStore store(places.historyFile);
    const std::shared_ptr<const data::Dataset> dataset = data::openDataset(
        config.data, {.imageSize = config.imageSize, .cacheFolder = places.cacheFolder, .threads = config.threads},
        [&](const values::DataProgress& progress) { report(progress); }, control.stop);

    RunOutcome outcome;
    outcome.config = config;
    outcome.config.threads = device->threads();
    if (config.device == "auto") {
        outcome.config.device = "cpu"; // what makeBackend takes for auto
    }
    outcome.environment = gatherEnvironment(*device, outcome.config.device, dataset->info().fingerprint);

    Trainer trainer(outcome.config, dataset, device);
    values::RunPlan plan = trainer.plan();
    plan.run = store.begin(outcome.config, outcome.environment, dataset->info().displayName);
    report(plan);
    reportRemarks(dataset->info(), config, report);

    RunRecorder recorder(std::move(store), plan.run, report);
    const values::EventSink record = [&](const values::RunEvent& event) { recorder.take(event); };
    try {
        outcome.summary = recorder.finish(trainer.run(record, control));
    } catch (...) {
        outcome.summary = recorder.finish(summaryOfTrouble(recorder, outcome.config, *device));
        try {
            throw;
        } catch (const OutOfMemoryError&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw OutOfMemoryError(outcome.summary.message);
        } catch (...) { // NOLINT(bugprone-empty-catch): the summary tells it
        }
    }
    return outcome;
}

} // namespace halfstep::train
