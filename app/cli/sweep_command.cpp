#include "app/cli/commands.h"
#include "app/cli/console_reporter.h"
#include "app/cli/exit_code.h"
#include "app/cli/stop_signals.h"
#include "app/cli/sweep_options.h"
#include "app/cli/sweep_table.h"
#include "engine/measure/sweep.h"
#include "engine/report/sweep_tables.h"
#include "engine/store/atomic_file.h"
#include "engine/store/run_export.h"
#include "engine/store/sweep_export.h"
#include "engine/store/sweep_store.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace halfstep::app {
namespace {
using values::RunStatus;

constexpr const char* kExamples = R"(Examples:
  halfstep sweep --policies float32,mixed_float16 --batch-sizes 8,16,32
      six cells on the built-in sample, each measured in three rounds
  halfstep sweep --isas avx512,avx2,sse4 --policies float32 --baseline-isa sse4 --synthetic
      what the instruction sets are worth, without reading pictures
  halfstep sweep --resume 3 --more-rounds 2
      goes on with sweep 3 where it was stopped, and measures two rounds more
  halfstep sweep --resume 3 --again disturbed
      measures the cells that other work on the machine disturbed once more
  halfstep report s3 --output report.html
      its tables and charts, and the command that repeats it, in one file

Ctrl-C ends the sweep after the current step and keeps what was measured; pressed twice it ends at once.)";

/// Tells a person how a sweep goes on: a line for every cell that was measured.
class SweepProgress {
public:
    explicit SweepProgress(ConsoleReporter& reporter) : m_reporter(reporter) {}

    void take(const values::SweepEvent& event) {
        if (const auto* progress = std::get_if<values::DataProgress>(&event)) {
            m_reporter.take(*progress);
        } else if (const auto* notice = std::get_if<values::Notice>(&event)) {
            m_reporter.take(*notice);
        } else if (const auto* plan = std::get_if<values::SweepPlan>(&event)) {
            m_cellRounds = plan->cellRounds;
            m_reporter.end();
        } else if (const auto* changed = std::get_if<values::SweepCellChanged>(&event)) {
            m_reporter.take(values::DataProgress{"Measuring", m_cellRounds - changed->cellRoundsLeft, m_cellRounds});
        }
    }

private:
    ConsoleReporter& m_reporter;
    std::int64_t m_cellRounds = 0;
};

int exitCodeOf(const values::Sweep& sweep) {
    if (sweep.status == RunStatus::Stopped) {
        return kInterrupted;
    }
    if (sweep.message.empty()) {
        return kDone;
    }
    const bool memory = std::ranges::all_of(
        sweep.cells, [](const values::SweepCell& cell) { return cell.status == values::CellStatus::Oom; });
    return memory ? kOutOfMemory : kFailed;
}

void tryFiles(const SweepArguments& arguments) {
    for (const std::string& file : {arguments.csv, arguments.markdown, arguments.latex}) {
        if (!file.empty()) {
            const store::AtomicFile tried(file);
        }
    }
}

void writeFiles(const SweepArguments& arguments, const values::Sweep& sweep) {
    const auto write = [&](const std::string& file, std::string (*text)(const values::Sweep&)) {
        if (!file.empty()) {
            store::writeFileAtomically(file, text(sweep));
        }
    };
    write(arguments.csv, &store::cellsCsv);
    write(arguments.markdown, &report::sweepMarkdown);
    write(arguments.latex, &report::sweepLatex);
}

measure::SweepContinuation continuationOf(const SweepArguments& arguments, const train::Places& places) {
    measure::SweepContinuation continuation{.sweep = *arguments.resume, .moreRounds = arguments.moreRounds};
    if (arguments.again) {
        // One that is not there is the continuation's to tell.
        if (const auto sweep = store::SweepStore(places.historyFile).sweep(*arguments.resume)) {
            continuation.anew = cellsAgain(*arguments.again, *sweep);
        }
    }
    return continuation;
}

int sweep(const SweepArguments& arguments, const train::Places& places) {
    const StopSignals signals(
        [] { std::cerr << "\nStopping after this step; Ctrl-C again ends at once." << std::endl; });
    ConsoleReporter reporter(std::cerr, ConsoleReporter::optionsOfStandardError());
    tryFiles(arguments); // better said before the sweep than after
    SweepProgress progress(reporter);
    const values::SweepSink sink = [&](const values::SweepEvent& event) { progress.take(event); };
    const train::RunControl control{.stop = signals.token()};
    const values::Sweep done = arguments.resume
                                   ? measure::resumeSweep(continuationOf(arguments, places), places, sink, control)
                                   : measure::runSweep(arguments.config, places, sink, control);
    reporter.end();
    if (arguments.json) {
        std::cout << values::jsonText(store::sweepJson(done)) << '\n';
    } else {
        std::cout << fmt::format("Sweep {}, {}\n", done.id, values::nameOf(done.status)) << sweepText(done);
    }
    if (!done.message.empty()) {
        std::cerr << "halfstep: " << done.message << std::endl;
    }
    writeFiles(arguments, done);
    return exitCodeOf(done);
}

} // namespace

void addSweepCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("sweep", "measure ms per step for every policy, batch size and device");
    const auto arguments = std::make_shared<SweepArguments>();
    addSweepOptions(*command, *arguments);
    command->footer(kExamples);
    command->callback([&invocation, arguments, command] {
        checkSweepOptions(*command, *arguments);
        invocation.action = [&invocation, arguments] { return sweep(*arguments, invocation.places()); };
    });
}

} // namespace halfstep::app
