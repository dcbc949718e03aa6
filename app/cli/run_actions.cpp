#include "app/cli/exit_code.h"
#include "app/cli/history_actions.h"
#include "app/cli/text.h"
#include "engine/analysis/statistics.h"
#include "engine/report/plain_text.h"
#include "engine/report/run_tables.h"
#include "engine/store/numerics_export.h"
#include "engine/store/run_export.h"
#include "engine/tensor/error.h"
#include "engine/train/resume.h"
#include "engine/train/weights_file.h"
#include "engine/values/json.h"
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace halfstep::app {
namespace {

void printEpochs(const std::vector<values::EpochRecord>& epochs) {
    constexpr const char* kRow = "{:>5}  {:>8}  {:>8}  {:>8}  {:>12}  {:>8}\n";
    std::cout << '\n' << fmt::format(kRow, "epoch", "loss", "accuracy", "val_loss", "val_accuracy", "seconds");
    for (const values::EpochRecord& epoch : epochs) {
        std::cout << fmt::format(kRow, epoch.epoch, fixedText(epoch.loss), fixedText(epoch.accuracy),
                                 fixedText(epoch.valLoss), fixedText(epoch.valAccuracy),
                                 fmt::format("{:.1f}", epoch.seconds));
    }
}

/// Says what it wrote. Throws DataError or ConfigError if the run has no checkpoint that can be read.
void exportWeights(const store::StoredRun& run, const std::string& file) {
    train::Checkpoint checkpoint = train::lastCheckpointOf(run);
    train::writeWeights(file, std::move(checkpoint.weights));
    std::cerr << fmt::format("Run {}: weights after step {} written.\n", run.id, checkpoint.state.position.step);
}

/// `write` prints what goes into the file; nothing happens without a file.
template <typename Write>
void exportTo(const std::string& file, Write write) {
    if (!file.empty()) {
        std::ostringstream text;
        write(text);
        store::writeFileAtomically(file, text.view());
    }
}

bool wantsNumerics(const RunsArguments& arguments) {
    return !arguments.numericsCsv.empty() || !arguments.numericsJson.empty();
}

bool wantsSteps(const RunsArguments& arguments) {
    return !arguments.csv.empty() || !arguments.json.empty() || !arguments.markdown.empty() ||
           !arguments.latex.empty();
}

void exportNumerics(const store::RunStore& store, std::int64_t run, const RunsArguments& arguments) {
    exportTo(arguments.numericsCsv, [&](std::ostream& out) { store::writeNumericsCsv(out, store, run); });
    exportTo(arguments.numericsJson, [&](std::ostream& out) { store::writeNumericsJson(out, store, run); });
    std::cerr << fmt::format("Run {}: the tensors' numbers of {} steps written.\n", run,
                             store.numericsSteps(run).size());
}

void exportSteps(const store::RunStore& store, const store::StoredRun& run, const RunsArguments& arguments) {
    const report::RunRecord record{.run = run, .epochs = store.epochs(run.id), .steps = store.steps(run.id)};
    exportTo(arguments.csv, [&](std::ostream& out) { store::writeStepsCsv(out, run.id, record.steps); });
    exportTo(arguments.json, [&](std::ostream& out) {
        out << values::jsonText(store::runJson(run, record.epochs, &record.steps)) << '\n';
    });
    exportTo(arguments.markdown, [&](std::ostream& out) { out << report::runMarkdown(record); });
    exportTo(arguments.latex, [&](std::ostream& out) { out << report::runLatex(record); });
    std::cerr << fmt::format("Run {}: {} steps written.\n", run.id, record.steps.size());
}

} // namespace

store::StoredRun wantedRun(const History& history, std::int64_t id) {
    const std::optional<store::StoredRun> run = history.runs.run(id);
    if (!run) {
        throw StoreError(fmt::format("There is no run {}; `halfstep runs list` shows those that there are.", id));
    }
    return *run;
}

int showRun(History& history, const RunsArguments& arguments) {
    const store::RunStore& store = history.runs;
    const store::StoredRun run = wantedRun(history, arguments.id.number);
    const std::vector<values::EpochRecord> epochs = store.epochs(run.id);
    if (arguments.asJson) {
        std::cout << values::jsonText(store::runJson(run, epochs, nullptr)) << '\n';
        return kDone;
    }
    const auto row = [](const char* label, const auto& value) {
        std::cout << fmt::format("{:<16}  {}\n", label, value);
    };
    row("run", run.id);
    row("name", report::plainLine(run.config.name));
    row("status", values::nameOf(run.status));
    row("message", report::plainLine(run.message));
    row("started (UTC)", run.startedAt);
    row("ended (UTC)", run.endedAt);
    row("data", report::plainLine(fmt::format("{} ({})", run.dataName, run.config.data)));
    row("checkpoints", run.config.checkpoint.empty() ? "-" : run.config.checkpoint);
    row("policy", precision::traitsOf(run.config.policy).name);
    row("batch size", run.config.batchSize);
    row("image size", run.config.imageSize);
    row("seed", run.config.seed);
    row("device", fmt::format("{}, {}, {} threads, {}", run.config.device, run.environment.cpu,
                              run.environment.threads, run.environment.isa));
    row("system", run.environment.operatingSystem);
    row("program",
        fmt::format("halfstep {}, {}, oneDNN {}, OpenCV {}", run.environment.halfstepVersion,
                    run.environment.compiler, run.environment.oneDnnVersion, run.environment.openCvVersion));
    for (const values::ConvolutionUse& use : run.environment.convolutions) {
        row(use.layer.c_str(), fmt::format("{}: {}", use.pass, use.algorithm));
    }
    row("steps", fmt::format("{} ({} skipped)", run.stepsDone, run.skippedSteps));
    if (const auto lost = analysis::meanLostUpdates(store.steps(run.id))) {
        row("updates lost", percentText(*lost));
    }
    row("median ms/step", run.medianStepMilliseconds ? millisecondsText(*run.medianStepMilliseconds) : "-");
    row("peak memory", bytesText(static_cast<std::uint64_t>(run.peakBytes)));
    printEpochs(epochs);
    return kDone;
}

int exportRun(History& history, const RunsArguments& arguments) {
    if (arguments.weights.empty() && !wantsNumerics(arguments) && !wantsSteps(arguments)) {
        throw ConfigError("csv",
                          "`halfstep runs export` needs --csv FILE, --json FILE, --markdown FILE, --latex FILE, "
                          "--weights FILE, --numerics-csv FILE or --numerics-json FILE.");
    }
    const store::StoredRun run = wantedRun(history, arguments.id.number);
    if (!arguments.weights.empty()) { // first, since it may be refused
        exportWeights(run, arguments.weights);
    }
    if (wantsNumerics(arguments)) {
        exportNumerics(history.runs, run.id, arguments);
    }
    if (wantsSteps(arguments)) {
        exportSteps(history.runs, run, arguments);
    }
    return kDone;
}

int deleteRun(History& history, const RunsArguments& arguments) {
    wantedRun(history, arguments.id.number);
    history.runs.remove(arguments.id.number);
    std::cerr << fmt::format("Run {} is deleted.\n", arguments.id.number);
    return kDone;
}

} // namespace halfstep::app
