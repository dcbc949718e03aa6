#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console_reporter.h"
#include "app/cli/exit_code.h"
#include "app/cli/steps_csv_file.h"
#include "app/cli/stop_signals.h"
#include "app/cli/text.h"
#include "engine/backend/devices.h"
#include "engine/store/run_export.h"
#include "engine/store/run_store.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace halfstep::app {
namespace {
using values::RunStatus;

constexpr const char* kExamples = R"(Examples:
  halfstep train --epochs 2
      two epochs on the built-in sample, in float32
  halfstep train --data imagenette2-160.tgz --policy mixed_float16 --batch-size 32 --epochs 20 --csv steps.csv
  halfstep train --image-size 64 --steps 30 --json > summary.json
      30 steps and no more; epochs that are completed by then are validated

Ctrl-C ends the run after the current step and keeps everything; pressed twice it ends at once.)";

struct TrainArguments {
    values::ExperimentConfig config;
    std::string csv;
    bool json = false;
};

/// All problems at once, each with the flag that it belongs to.
void refuseProblems(const values::ExperimentConfig& config) {
    std::string sentences;
    for (const values::FieldProblem& problem : values::problemsOf(config)) {
        std::string flag = "--" + (problem.field == "memory_limit_bytes" ? "memory_limit" : problem.field);
        std::ranges::replace(flag, '_', '-');
        sentences += fmt::format("{}{}: {}", sentences.empty() ? "" : "\n          ", flag, problem.sentence);
    }
    if (!sentences.empty()) {
        throw ConfigError("", sentences);
    }
}

/// Also for names that no instruction set could have, the answer is the list.
void refuseUnknownIsa(const std::string& isa) {
    std::vector<std::string> known{"auto"};
    for (const backend::DeviceInfo& device : backend::devices()) {
        known.insert(known.end(), device.isas.begin(), device.isas.end());
    }
    if (std::ranges::find(known, isa) == known.end()) {
        refuseArgument("--isa", isa, fmt::format("one of {}", fmt::join(known, ", ")));
    }
}

int exitCodeOf(RunStatus status) {
    return status == RunStatus::Finished ? kDone : status == RunStatus::Stopped ? kInterrupted : kFailed;
}

void printSummary(const values::RunSummary& summary) {
    std::cout << fmt::format("Run {} {}: {} step{} ({} skipped), {} epoch{}", summary.run,
                             values::nameOf(summary.status), summary.steps, summary.steps == 1 ? "" : "s",
                             summary.skippedSteps, summary.epochs, summary.epochs == 1 ? "" : "s");
    if (summary.medianStepMilliseconds) {
        std::cout << fmt::format(", median {} ms per step", millisecondsText(*summary.medianStepMilliseconds));
    }
    std::cout << fmt::format(", {} of memory at most.\n", bytesText(static_cast<std::uint64_t>(summary.peakBytes)));
    if (!summary.epochsLog.empty()) {
        const values::EpochRecord& last = summary.epochsLog.back();
        std::cout << fmt::format("Epoch {}: loss {}, accuracy {}, val_loss {}, val_accuracy {}.\n", last.epoch,
                                 fixedText(last.loss), fixedText(last.accuracy), fixedText(last.valLoss),
                                 fixedText(last.valAccuracy));
    }
    if (summary.loss && summary.accuracy) {
        std::cout << fmt::format("Epoch {}, not completed: loss {}, accuracy {}.\n", summary.epochs + 1,
                                 fixedText(summary.loss), fixedText(summary.accuracy));
    }
}

/// One run with everything that watches it.
class TrainCommand {
public:
    TrainCommand(const TrainArguments& arguments, const Invocation& invocation)
        : m_arguments(arguments),
          m_places(invocation.places()),
          m_signals([] { std::cerr << "\nStopping after this step; Ctrl-C again ends at once." << std::endl; }),
          m_reporter(std::cerr, ConsoleReporter::optionsOfStandardError()) {
        if (!arguments.csv.empty()) {
            m_csv = std::make_unique<StepsCsvFile>(arguments.csv);
        }
    }

    int run() {
        train::RunOutcome outcome;
        try {
            outcome = train::runExperiment(m_arguments.config, m_places,
                                           [this](const values::RunEvent& event) { take(event); },
                                           {.stop = m_signals.token()});
        } catch (const std::exception& error) {
            endAfter(error);
            throw;
        }
        m_reporter.end();
        if (m_arguments.json) {
            std::cout << values::jsonText(values::toJson(outcome.summary, outcome.environment, outcome.config))
                      << '\n';
        } else {
            printSummary(outcome.summary);
        }
        if (!outcome.summary.message.empty()) {
            std::cerr << "halfstep: " << outcome.summary.message << std::endl;
        }
        finishCsv();
        return exitCodeOf(outcome.summary.status);
    }

private:
    void take(const values::RunEvent& event) {
        if (const auto* plan = std::get_if<values::RunPlan>(&event)) {
            m_run = plan->run;
        }
        if (m_csv) {
            m_csv->take(event);
        }
        m_reporter.take(event);
    }

    static void printJson(const nlohmann::ordered_json& document) {
        std::cout << values::jsonText(document) << std::endl;
    }

    /// A run that ran out of memory is in the history with what it had done. False if it did not get that far.
    bool printFromHistory() const {
        try {
            const store::RunStore store(m_places.historyFile);
            const auto run = m_run > 0 ? store.run(m_run) : std::nullopt;
            if (run) {
                printJson(store::runJson(*run, store.epochs(m_run), nullptr));
            }
            return run.has_value();
        } catch (const StoreError&) {
            return false; // the error that ended the run is the one to tell
        }
    }

    void finishCsv() {
        if (m_csv && m_run > 0) {
            m_csv->finish();
        }
    }

    /// A run that has no outcome leaves its steps and a document that says why all the same.
    void endAfter(const std::exception& error) {
        m_reporter.end();
        if (m_arguments.json && !printFromHistory()) {
            values::RunSummary summary;
            summary.status = m_signals.stopped() ? RunStatus::Stopped : RunStatus::Failed;
            summary.message = error.what();
            printJson(values::toJson(summary, {}, m_arguments.config));
        }
        try {
            finishCsv();
        } catch (const StoreError& csvError) {
            std::cerr << "halfstep: " << csvError.what() << std::endl;
        }
    }

    const TrainArguments& m_arguments;
    train::Places m_places;
    StopSignals m_signals;
    ConsoleReporter m_reporter;
    std::unique_ptr<StepsCsvFile> m_csv;
    std::int64_t m_run = 0; ///< 0 until it is in the history
};

void addOptions(CLI::App& command, TrainArguments& arguments) {
    values::ExperimentConfig& config = arguments.config;
    command.add_option("--data", config.data, "sample, a folder with train/ and val/, or a .tgz of one (sample)")
        ->type_name("SOURCE");
    addPolicy(command, config.policy);
    addNumber(command, "--batch-size", config.batchSize, "images a step (32)");
    command.add_option("--device", config.device, "auto, cpu or cuda:0 (auto)")->type_name("D");
    addNumber(command, "--epochs", config.epochs, "passes over the training images (20)");
    const auto takeSteps = [&config](const std::string& text) {
        config.steps = numberFrom<std::int64_t>("--steps", text);
    };
    command.add_option_function<std::string>("--steps", takeSteps, "end after so many steps, whatever the epoch")
        ->type_name("N");
    addNumber(command, "--image-size", config.imageSize, "side of the pictures in pixels (256)");
    addNumber(command, "--seed", config.seed, "decides the first weights and the order of the images (1)");
    addNumber(command, "--threads", config.threads, "threads that compute (0: all cores); changes no result");
    command.add_option("--isa", config.isa, "instruction set, as `halfstep devices` lists them (auto)")
        ->type_name("I");
    command.add_option("--convolution", config.convolution, "auto, fft or direct (auto)")->type_name("C");
    addNumber(command, "--learning-rate", config.learningRate, "of Adam (0.001)");
    const auto takeLimit = [&config](const std::string& text) {
        config.memoryLimitBytes = bytesFrom("--memory-limit", text);
    };
    command.add_option_function<std::string>("--memory-limit", takeLimit, "most memory for tensors, such as 4GiB")
        ->type_name("SIZE");
    command.add_option("--csv", arguments.csv, "write every step as a row of this file")->type_name("FILE");
    command.add_flag("--json", arguments.json, "print the summary as one JSON document");
    command.add_option("--name", config.name, "a name for the run in the history")->type_name("TEXT");
}

} // namespace

void addTrainCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("train", "train the network and keep the run in the history");
    const auto arguments = std::make_shared<TrainArguments>();
    addOptions(*command, *arguments);
    command->footer(kExamples);
    command->callback([&invocation, arguments, command] {
        if (command->count("--epochs") > 0 && command->count("--steps") > 0) {
            throw ConfigError("steps", "--epochs and --steps cannot be given together; choose one.");
        }
        refuseUnknownIsa(arguments->config.isa);
        refuseProblems(arguments->config);
        invocation.action = [&invocation, arguments] { return TrainCommand(*arguments, invocation).run(); };
    });
}

} // namespace halfstep::app
