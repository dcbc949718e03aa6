#include "app/cli/commands.h"
#include "app/cli/config_options.h"
#include "app/cli/console_reporter.h"
#include "app/cli/exit_code.h"
#include "app/cli/stop_signals.h"
#include "app/cli/sweep_table.h"
#include "engine/measure/sweep.h"
#include "engine/store/atomic_file.h"
#include "engine/store/run_export.h"
#include "engine/store/sweep_export.h"
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

Ctrl-C ends the sweep after the current step and keeps what was measured; pressed twice it ends at once.)";

struct SweepArguments {
    values::SweepConfig config{};
    std::optional<std::int64_t> resume{};
    int moreRounds = 0;
    bool synthetic = false;
    std::string csv{};
    bool json = false;
};

/// The parts of "a,b,c"; an empty part is refused with what is expected.
std::vector<std::string> partsOf(const std::string& flag, const std::string& text, const std::string& expected) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t comma = text.find(',', begin);
        parts.push_back(text.substr(begin, comma - begin));
        if (parts.back().empty()) {
            refuseArgument(flag, text, expected);
        }
        if (comma == std::string::npos) {
            return parts;
        }
        begin = comma + 1;
    }
}

/// Adds an option that takes a list; `read` makes a value of one part.
template <typename T, typename Read>
CLI::Option* addList(CLI::App& command, const std::string& flag, std::vector<T>& target, const std::string& expected,
                     const std::string& help, Read read) {
    const auto take = [&target, flag, expected, read](const std::string& text) {
        target.clear();
        for (const std::string& part : partsOf(flag, text, expected)) {
            target.push_back(read(part));
        }
    };
    return command.add_option_function<std::string>(flag, take, help)->type_name("LIST");
}

void addListOptions(CLI::App& command, values::SweepConfig& config) {
    const auto asItIs = [](const std::string& part) { return part; };
    addList(command, "--policies", config.policies, "policies with commas between them",
            "policies (float32,mixed_float16,mixed_bfloat16)",
            [](const std::string& part) { return policyFrom("--policies", part); });
    addList(command, "--batch-sizes", config.batchSizes, "whole numbers with commas between them, such as 16,32,64",
            "images a step (32)", [](const std::string& part) { return numberFrom<int>("--batch-sizes", part); });
    addList(command, "--devices", config.devices, "devices with commas between them", "devices (cpu)", asItIs);
    addList(command, "--isas", config.isas, "instruction sets with commas between them",
            "instruction sets, as `halfstep devices` lists them (auto)", asItIs);
}

void addSweepOptions(CLI::App& command, SweepArguments& arguments) {
    values::SweepConfig& config = arguments.config;
    addListOptions(command, config);
    addNumber(command, "--steps", config.steps, "timed steps of a cell in a round (30)");
    addNumber(command, "--warmup", config.warmup, "steps before them, which do not count (5)");
    addNumber(command, "--repeats", config.repeats, "rounds, each through all cells in an order of its own (3)");
    addNumber(command, "--order-seed", config.orderSeed, "decides these orders (1)");
    command.add_flag("--synthetic", arguments.synthetic, "noise that lies ready in place of pictures");
    const auto takeBaseline = [&config](const std::string& text) {
        config.baseline.policy = policyFrom("--baseline", text);
    };
    command
        .add_option_function<std::string>("--baseline", takeBaseline,
                                          "the policy that the others are compared with (float32 if it is there)")
        ->type_name("P");
    const auto takeIsa = [&config](const std::string& text) { config.baseline.isa = text; };
    command
        .add_option_function<std::string>("--baseline-isa", takeIsa, "likewise the instruction set (a cell's own)")
        ->type_name("I");
    addSharedOptions(command, config.base);
    addOptional(command, "--resume", arguments.resume, "go on with this sweep");
    addNumber(command, "--more-rounds", arguments.moreRounds,
              "with --resume: so many rounds more than it was to have");
    command.add_option("--csv", arguments.csv, "write one row a cell")->type_name("FILE");
    command.add_flag("--json", arguments.json, "print one JSON document");
}

void check(const CLI::App& command, SweepArguments& arguments) {
    values::SweepConfig& config = arguments.config;
    if (arguments.moreRounds < 0 || (arguments.moreRounds > 0 && !arguments.resume)) {
        throw ConfigError("more_rounds", "--more-rounds takes a number above 0 and goes with --resume.");
    }
    if (arguments.resume) {
        for (const CLI::Option* option : command.get_options()) {
            const std::string name = option->get_name();
            const bool fits = name == "--resume" || name == "--more-rounds" || name == "--csv" || name == "--json";
            if (option->count() > 0 && !fits) {
                throw ConfigError("resume",
                                  fmt::format("{} cannot be given together with --resume, which goes on with "
                                              "the sweep's own settings; leave it out or start a new sweep.",
                                              name));
            }
        }
        return;
    }
    config.input = arguments.synthetic ? values::SweepInput::Synthetic : values::SweepInput::Pipeline;
    const auto has = [&](precision::Policy policy) {
        return std::ranges::find(config.policies, policy) != config.policies.end();
    };
    if (command.count("--baseline") == 0 && !has(*config.baseline.policy) && !config.policies.empty()) {
        config.baseline.policy = config.policies.front();
    }
    refuseProblems(problemsOf(config));
    for (const std::string& isa : config.isas) {
        refuseUnknownIsa(isa);
    }
    if (!has(*config.baseline.policy)) {
        throw ConfigError("baseline", "--baseline names a policy that is not in --policies; add it there.");
    }
    if (config.baseline.isa && std::ranges::find(config.isas, *config.baseline.isa) == config.isas.end()) {
        throw ConfigError("baseline", "--baseline-isa names an instruction set that is not in --isas; add it there.");
    }
}

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

int sweep(const SweepArguments& arguments, const train::Places& places) {
    const StopSignals signals(
        [] { std::cerr << "\nStopping after this step; Ctrl-C again ends at once." << std::endl; });
    ConsoleReporter reporter(std::cerr, ConsoleReporter::optionsOfStandardError());
    if (!arguments.csv.empty()) {
        const store::AtomicFile tried(arguments.csv); // better said before the sweep than after
    }
    SweepProgress progress(reporter);
    const values::SweepSink sink = [&](const values::SweepEvent& event) { progress.take(event); };
    const train::RunControl control{.stop = signals.token()};
    const values::Sweep done =
        arguments.resume ? measure::resumeSweep({.sweep = *arguments.resume, .moreRounds = arguments.moreRounds},
                                                places, sink, control)
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
    if (!arguments.csv.empty()) {
        store::writeFileAtomically(arguments.csv, store::cellsCsv(done));
    }
    return exitCodeOf(done);
}

} // namespace

void addSweepCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("sweep", "measure ms per step for every policy, batch size and device");
    const auto arguments = std::make_shared<SweepArguments>();
    addSweepOptions(*command, *arguments);
    command->footer(kExamples);
    command->callback([&invocation, arguments, command] {
        check(*command, *arguments);
        invocation.action = [&invocation, arguments] { return sweep(*arguments, invocation.places()); };
    });
}

} // namespace halfstep::app
