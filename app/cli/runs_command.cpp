#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/text.h"
#include "engine/analysis/statistics.h"
#include "engine/store/numerics_export.h"
#include "engine/store/run_export.h"
#include "engine/store/run_store.h"
#include "engine/tensor/error.h"
#include "engine/train/resume.h"
#include "engine/train/weights_file.h"
#include "engine/values/json.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

namespace halfstep::app {
namespace {

struct RunsArguments {
    std::int64_t id = 0;
    std::string csv;
    std::string json;
    std::string weights;
    std::string numericsCsv;
    std::string numericsJson;
    bool asJson = false;
};

store::StoredRun wanted(const store::RunStore& store, std::int64_t id) {
    const std::optional<store::StoredRun> run = store.run(id);
    if (!run) {
        throw StoreError(fmt::format("There is no run {}; `halfstep runs list` shows those that there are.", id));
    }
    return *run;
}

std::optional<double> lastValidationAccuracy(const store::StoredRun& run) {
    return run.lastEpoch ? run.lastEpoch->valAccuracy : std::nullopt;
}

int listRuns(const store::RunStore& store, const RunsArguments& arguments) {
    const std::vector<store::StoredRun> runs = store.runs();
    if (arguments.asJson) {
        nlohmann::ordered_json document = nlohmann::ordered_json::array();
        for (const store::StoredRun& run : runs) {
            document.push_back(store::runJson(run, store.epochs(run.id), nullptr));
        }
        std::cout << values::jsonText({{"runs", std::move(document)}}) << '\n';
        return kDone;
    }
    if (runs.empty()) {
        std::cout << "No run yet. `halfstep train` makes one.\n";
        return kDone;
    }
    constexpr const char* kRow = "{:>5}  {:<11}  {:<20}  {:<14}  {:>5}  {:>6}  {:>9}  {:>7}  {:<20}  {}\n";
    std::cout << fmt::format(kRow, "run", "status", "started (UTC)", "policy", "batch", "steps", "ms/step", "val_acc",
                             "data", "name");
    for (const store::StoredRun& run : runs) {
        const std::string median = run.medianStepMilliseconds ? millisecondsText(*run.medianStepMilliseconds) : "-";
        std::cout << fmt::format(kRow, run.id, values::nameOf(run.status), run.startedAt,
                                 precision::traitsOf(run.config.policy).name, run.config.batchSize, run.stepsDone,
                                 median, fixedText(lastValidationAccuracy(run)), shortened(run.dataName, 20),
                                 run.config.name);
    }
    return kDone;
}

void printEpochs(const std::vector<values::EpochRecord>& epochs) {
    constexpr const char* kRow = "{:>5}  {:>8}  {:>8}  {:>8}  {:>12}  {:>8}\n";
    std::cout << '\n' << fmt::format(kRow, "epoch", "loss", "accuracy", "val_loss", "val_accuracy", "seconds");
    for (const values::EpochRecord& epoch : epochs) {
        std::cout << fmt::format(kRow, epoch.epoch, fixedText(epoch.loss), fixedText(epoch.accuracy),
                                 fixedText(epoch.valLoss), fixedText(epoch.valAccuracy),
                                 fmt::format("{:.1f}", epoch.seconds));
    }
}

int showRun(const store::RunStore& store, const RunsArguments& arguments) {
    const store::StoredRun run = wanted(store, arguments.id);
    const std::vector<values::EpochRecord> epochs = store.epochs(run.id);
    if (arguments.asJson) {
        std::cout << values::jsonText(store::runJson(run, epochs, nullptr)) << '\n';
        return kDone;
    }
    const auto row = [](const char* label, const auto& value) {
        std::cout << fmt::format("{:<16}  {}\n", label, value);
    };
    row("run", run.id);
    row("name", run.config.name);
    row("status", values::nameOf(run.status));
    row("message", run.message);
    row("started (UTC)", run.startedAt);
    row("ended (UTC)", run.endedAt);
    row("data", fmt::format("{} ({})", run.dataName, run.config.data));
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

int exportRun(const store::RunStore& store, const RunsArguments& arguments) {
    if (arguments.csv.empty() && arguments.json.empty() && arguments.weights.empty() &&
        arguments.numericsCsv.empty() && arguments.numericsJson.empty()) {
        throw ConfigError("csv", "`halfstep runs export` needs --csv FILE, --json FILE, --weights FILE, "
                                 "--numerics-csv FILE or --numerics-json FILE.");
    }
    const store::StoredRun run = wanted(store, arguments.id);
    if (!arguments.weights.empty()) { // first, since it may be refused
        exportWeights(run, arguments.weights);
    }
    exportTo(arguments.numericsCsv, [&](std::ostream& out) { store::writeNumericsCsv(out, store, run.id); });
    exportTo(arguments.numericsJson, [&](std::ostream& out) { store::writeNumericsJson(out, store, run.id); });
    if (!arguments.numericsCsv.empty() || !arguments.numericsJson.empty()) {
        std::cerr << fmt::format("Run {}: the tensors' numbers of {} steps written.\n", run.id,
                                 store.numericsSteps(run.id).size());
    }
    if (arguments.csv.empty() && arguments.json.empty()) {
        return kDone;
    }
    const std::vector<values::StepRecord> steps = store.steps(run.id);
    exportTo(arguments.csv, [&](std::ostream& out) { store::writeStepsCsv(out, run.id, steps); });
    exportTo(arguments.json, [&](std::ostream& out) {
        out << values::jsonText(store::runJson(run, store.epochs(run.id), &steps)) << '\n';
    });
    std::cerr << fmt::format("Run {}: {} steps written.\n", run.id, steps.size());
    return kDone;
}

int deleteRun(store::RunStore& store, const RunsArguments& arguments) {
    wanted(store, arguments.id);
    store.remove(arguments.id);
    std::cerr << fmt::format("Run {} is deleted.\n", arguments.id);
    return kDone;
}

CLI::App* addCommand(CLI::App& group, Invocation& invocation, const std::shared_ptr<RunsArguments>& arguments,
                     const char* name, const char* help, int (*action)(store::RunStore&, const RunsArguments&)) {
    CLI::App* command = group.add_subcommand(name, help);
    command->callback([&invocation, arguments, action] {
        invocation.action = [&invocation, arguments, action] {
            store::RunStore store(invocation.places().historyFile);
            return action(store, *arguments);
        };
    });
    return command;
}

void addId(CLI::App& command, const std::shared_ptr<RunsArguments>& arguments) {
    const auto take = [arguments](const std::string& text) { arguments->id = numberFrom<std::int64_t>("ID", text); };
    command.add_option_function<std::string>("id", take, "number of the run")->required()->type_name("ID");
}

} // namespace

void addRunsCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* group = app.add_subcommand("runs", "list, show, export and delete the runs made so far");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<RunsArguments>();

    CLI::App* list = addCommand(*group, invocation, arguments, "list", "all runs, newest first",
                                [](auto& store, const auto& given) { return listRuns(store, given); });
    list->add_flag("--json", arguments->asJson, "print one JSON document");

    CLI::App* show = addCommand(*group, invocation, arguments, "show", "one run with its settings and epochs",
                                [](auto& store, const auto& given) { return showRun(store, given); });
    addId(*show, arguments);
    show->add_flag("--json", arguments->asJson, "print one JSON document");

    CLI::App* write = addCommand(*group, invocation, arguments, "export", "write a run's numbers to files",
                                 [](auto& store, const auto& given) { return exportRun(store, given); });
    addId(*write, arguments);
    write->add_option("--csv", arguments->csv, "the steps, one a row")->type_name("FILE");
    write->add_option("--json", arguments->json, "settings, environment, epochs and steps")->type_name("FILE");
    write->add_option("--weights", arguments->weights, "the weights of its last checkpoint, as safetensors")
        ->type_name("FILE");
    write
        ->add_option("--numerics-csv", arguments->numericsCsv,
                     "for each recorded step and tensor: binary exponents, shares of zeros, subnormals, overflows")
        ->type_name("FILE");
    write->add_option("--numerics-json", arguments->numericsJson, "the same as one JSON document")->type_name("FILE");

    CLI::App* remove = addCommand(*group, invocation, arguments, "delete", "remove a run from the history",
                                  [](auto& store, const auto& given) { return deleteRun(store, given); });
    addId(*remove, arguments);
}

} // namespace halfstep::app
