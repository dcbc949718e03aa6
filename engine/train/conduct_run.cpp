#include "engine/train/conduct_run.h"
#include "engine/backend/backend.h"
#include "engine/backend/machine.h"
#include "engine/tensor/error.h"
#include "engine/train/environment.h"
#include "engine/train/memory_plan.h"
#include "engine/train/run_recorder.h"
#include "engine/train/weights_file.h"
#include <exception>
#include <fmt/format.h>
#include <new>
#include <optional>

namespace halfstep::train {
using values::RunStatus;
using values::Severity;

namespace {

constexpr const char* kMemoryRanOut = "The machine's memory ran out; choose a smaller batch or image size.";

/// What a person should know before the first step.
void reportRemarks(const data::DatasetInfo& info, const values::ExperimentConfig& config,
                   const backend::Backend& device, const values::EventSink& report) {
    report(values::Notice{Severity::Information,
                          fmt::format("The decoded photographs take {} ({} x {} x {} x 3 bytes) in a file that is "
                                      "mapped: they do not count with the run's memory, and the system gives theirs "
                                      "up when it is needed.",
                                      bytesText(info.cacheBytes()), info.used, info.imageSize, info.imageSize)});
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
    if (const auto remark = remarkOnComputing(device, config.policy)) {
        report(values::Notice{Severity::Information, *remark});
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
        summary.message = kMemoryRanOut;
    } catch (const std::exception& error) {
        summary.message = error.what();
    } catch (...) {
        summary.message = "The run ended for a reason that no part of the program explains.";
    }
    return summary;
}

/// Takes over the run's store. A run that cannot even be recorded is not left running in the history.
RunRecorder recorderOf(BegunRun& run, const Places& places, const values::EventSink& report) {
    try {
        return RunRecorder(std::move(run.store), run.start.run, report, run.start.steps, run.start.epochs);
    } catch (const std::bad_alloc&) {
        values::RunSummary summary;
        summary.status = RunStatus::Failed;
        summary.message = kMemoryRanOut;
        store::RunStore(places.historyFile).finish(run.start.run, summary);
        throw OutOfMemoryError(summary.message);
    }
}

} // namespace

void throwFirstProblem(const values::ExperimentConfig& config) {
    const auto problems = values::problemsOf(config);
    if (!problems.empty()) {
        throw ConfigError(problems.front().field, problems.front().sentence);
    }
}

std::shared_ptr<backend::Backend> makeDevice(const values::ExperimentConfig& config, const Places& places) {
    const std::filesystem::path& folder = places.cacheFolder;
    return backend::makeBackend({.device = config.device,
                                 .threads = config.threads,
                                 .isa = config.isa,
                                 .memoryLimitBytes = config.memoryLimitBytes,
                                 .convolution = config.convolution,
                                 .measurements = folder.empty() ? folder : folder / "convolutions.tsv"});
}

std::shared_ptr<const data::Dataset> openPictures(const values::ExperimentConfig& config, const Places& places,
                                                  const values::EventSink& report, const RunControl& control) {
    return data::openDataset(
        config.data, {.imageSize = config.imageSize, .cacheFolder = places.cacheFolder, .threads = config.threads},
        [&](const values::DataProgress& progress) { report(progress); }, control.stop);
}

void requireMemory(const values::ExperimentConfig& config, const backend::Backend& device) {
    requireMemory(planOf(config, 10), device);
}

void requireMemory(const values::ExperimentConfig& config, backend::Backend& device, const data::Dataset& dataset) {
    const auto count = [&](data::Split split) {
        return static_cast<std::int64_t>(dataset.photographs(split).size());
    };
    const TrainingPlan plan = planOf(config, {.classes = static_cast<std::int64_t>(dataset.info().classes.size()),
                                              .train = count(data::Split::Train),
                                              .validation = count(data::Split::Validation)});
    const std::vector<std::int64_t> whole{config.batchSize};
    // What has to be tried is tried now: not inside a step, and before memory is counted to the byte.
    values::ExperimentConfig sized = config;
    for (const auto& batches : {whole, plan.smallerBatches, plan.validationBatches}) {
        for (const std::int64_t size : batches) {
            sized.batchSize = static_cast<int>(size);
            convolutionsOf(device, sized);
        }
    }
    requireMemory(plan, device);
}

RunOutcome outcomeToBe(const values::ExperimentConfig& config, backend::Backend& device,
                       const data::Dataset& dataset) {
    RunOutcome outcome;
    outcome.config = config;
    outcome.config.threads = device.threads();
    if (config.device == "auto") {
        outcome.config.device = "cpu"; // what makeBackend takes for auto
    }
    if (!config.checkpoint.empty()) {
        const auto fromAnywhere = [](const std::string& path) {
            return std::filesystem::absolute(path).lexically_normal().string();
        };
        outcome.config.checkpoint = fromAnywhere(config.checkpoint);
        outcome.config.data = config.data == "sample" ? config.data : fromAnywhere(config.data);
    }
    outcome.environment = gatherEnvironment(device, outcome.config.device, dataset.info().fingerprint);
    outcome.environment.validationPictures =
        static_cast<std::int64_t>(dataset.photographs(data::Split::Validation).size());
    outcome.environment.convolutions = convolutionsOf(device, outcome.config);
    return outcome;
}

RunOutcome conduct(BegunRun run, const Places& places, const values::EventSink& report, const RunControl& control) {
    RunOutcome& outcome = run.outcome;
    RunRecorder recorder = recorderOf(run, places, report);
    std::optional<Trainer> trainer;
    try {
        trainer.emplace(outcome.config, run.dataset, run.device);
        values::RunPlan plan = trainer->plan();
        plan.run = run.start.run;
        run.start.halfstepVersion = outcome.environment.halfstepVersion;
        for (const values::Notice& remark : run.remarks) {
            report(remark);
        }
        report(plan);
        reportRemarks(run.dataset->info(), outcome.config, *run.device, report);
        const values::EventSink record = [&](const values::RunEvent& event) { recorder.take(event); };
        outcome.summary = recorder.finish(trainer->run(record, control, std::move(run.start)));
    } catch (...) {
        outcome.summary = recorder.finish(summaryOfTrouble(recorder, outcome.config, *run.device));
        try {
            throw;
        } catch (const OutOfMemoryError&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw OutOfMemoryError(outcome.summary.message);
        } catch (...) { // NOLINT(bugprone-empty-catch): the summary tells it
        }
    }
    const RunStatus status = outcome.summary.status;
    if (!places.weightsFile.empty() && (status == RunStatus::Finished || status == RunStatus::Stopped)) {
        writeWeights(places.weightsFile, trainer->weights());
    }
    return std::move(outcome);
}

} // namespace halfstep::train
