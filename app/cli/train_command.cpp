#include "app/cli/commands.h"
#include "app/cli/console_reporter.h"
#include "app/cli/exit_code.h"
#include "app/cli/largest_batch.h"
#include "app/cli/steps_csv_file.h"
#include "app/cli/stop_signals.h"
#include "app/cli/text.h"
#include "app/cli/train_options.h"
#include "engine/store/atomic_file.h"
#include "engine/store/run_export.h"
#include "engine/store/run_store.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <CLI/CLI.hpp>
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
  halfstep train --epochs 50 --early-stopping 5 --checkpoint checkpoints/first
      until five epochs in a row are no better; checkpoints/first/best is the best one
  halfstep train --image-size 128 --largest-batch --memory-limit 4GiB
      trains nothing: prints the largest batch that a card of 4 GiB would hold
  halfstep train --resume 7
      goes on with run 7 where it was stopped or killed; --resume 7 --epochs 80 makes it longer

Ctrl-C ends the run after the current step and keeps everything; pressed twice it ends at once.)";

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
    if (summary.lostUpdates) {
        std::cout << fmt::format("Rounding took away {} of the weights' updates.\n",
                                 percentText(*summary.lostUpdates));
    }
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
        if (!arguments.weightsFile.empty()) {
            m_places.weightsFile = arguments.weightsFile;
            const store::AtomicFile tried(arguments.weightsFile); // better said before the run than after
        }
    }

    int run() {
        train::RunOutcome outcome;
        try {
            outcome = trained();
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
    train::RunOutcome trained() {
        const values::EventSink sink = [this](const values::RunEvent& event) { take(event); };
        const train::RunControl control{.stop = m_signals.token()};
        return m_arguments.resume ? train::resumeExperiment(*m_arguments.resume, m_places, sink, control)
                                  : train::runExperiment(m_arguments.config, m_places, sink, control);
    }

    void take(const values::RunEvent& event) {
        if (m_csv) {
            m_csv->take(event);
        }
        m_reporter.take(event);
        if (const auto* plan = std::get_if<values::RunPlan>(&event)) {
            m_run = plan->run;
            if (m_arguments.resume) {
                takeEarlierSteps();
            }
        }
    }

    /// The file gets all steps of a resumed run, the console those of the epoch in which it goes on.
    void takeEarlierSteps() {
        try {
            const store::RunStore store(m_places.historyFile);
            const std::size_t epochs = store.epochs(m_run).size();
            for (const values::StepRecord& step : store.steps(m_run)) {
                if (m_csv) {
                    m_csv->take(step);
                }
                if (static_cast<std::size_t>(step.epoch) > epochs) {
                    m_reporter.take(step);
                }
            }
        } catch (const StoreError& error) {
            m_reporter.take(values::Notice{values::Severity::Warning, error.what()});
        }
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
        const bool refused = m_arguments.resume && m_run == 0; // the run is as it was, its document too
        if (m_arguments.json && !refused && !printFromHistory()) {
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

} // namespace

void addTrainCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("train", "train the network and keep the run in the history");
    const auto arguments = std::make_shared<TrainArguments>();
    addTrainOptions(*command, *arguments);
    command->footer(kExamples);
    command->callback([&invocation, arguments, command] {
        checkTrainOptions(*command, *arguments);
        invocation.action = [&invocation, arguments] {
            return arguments->largestBatch
                       ? printLargestBatch(arguments->config, invocation.places(), arguments->json)
                       : TrainCommand(*arguments, invocation).run();
        };
    });
}

} // namespace halfstep::app
