#include "app/cli/sweep_options.h"
#include "app/cli/arguments.h"
#include "app/cli/config_options.h"
#include "app/cli/history_id.h"
#include "app/cli/optimizer_options.h"
#include "engine/analysis/sweep_figures.h"
#include "engine/tensor/error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace halfstep::app {
namespace {

/// What may stand beside --resume: what is measured more, and where it is written.
constexpr std::array<std::string_view, 8> kBesideResume{"--resume",   "--more-rounds", "--again", "--csv",
                                                        "--markdown", "--latex",       "--json",  "--help"};

constexpr const char* kAgainExpected = "\"disturbed\", or cells such as mixed_float16:32,float32:8";

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

void addMeasuringOptions(CLI::App& command, SweepArguments& arguments) {
    values::SweepConfig& config = arguments.config;
    addNumber(command, "--steps", config.steps, "timed steps of a cell in a round (30)");
    addNumber(command, "--warmup", config.warmup, "steps before them, which do not count (5)");
    addNumber(command, "--repeats", config.repeats, "rounds, each through all cells in an order of its own (3)");
    addNumber(command, "--order-seed", config.orderSeed, "decides these orders (1)");
    command.add_flag("--synthetic", arguments.synthetic, "noise that lies ready in place of pictures");
}

void addBaselineOptions(CLI::App& command, values::Baseline& baseline) {
    const auto takePolicy = [&baseline](const std::string& text) {
        baseline.policy = text == "own" ? std::nullopt : std::optional(policyFrom("--baseline", text));
    };
    command
        .add_option_function<std::string>("--baseline", takePolicy,
                                          "the policy that the others are compared with (float32 if it is there), or "
                                          "own: a cell's own")
        ->type_name("P");
    const auto takeDevice = [&baseline](const std::string& text) { baseline.device = text; };
    command.add_option_function<std::string>("--baseline-device", takeDevice, "likewise the device (a cell's own)")
        ->type_name("D");
    const auto takeIsa = [&baseline](const std::string& text) { baseline.isa = text; };
    command
        .add_option_function<std::string>("--baseline-isa", takeIsa, "likewise the instruction set (a cell's own)")
        ->type_name("I");
}

CellsAgain cellsAgainFrom(const std::string& text) {
    CellsAgain again;
    for (const std::string& part : partsOf("--again", text, kAgainExpected)) {
        const std::size_t colon = part.find(':');
        if (part == "disturbed") {
            again.disturbed = true;
        } else if (colon == std::string::npos) {
            refuseArgument("--again", text, kAgainExpected);
        } else {
            again.cells.push_back({policyFrom("--again", std::string_view(part).substr(0, colon)),
                                   numberFrom<int>("--again", std::string_view(part).substr(colon + 1))});
        }
    }
    return again;
}

void addResumeOptions(CLI::App& command, SweepArguments& arguments) {
    constexpr const char* kGroup = "Going on with a sweep";
    const auto takeSweep = [&arguments](const std::string& text) {
        arguments.resume = sweepIdFrom("--resume", text);
    };
    command.add_option_function<std::string>("--resume", takeSweep, "go on with this sweep (3 or s3)")
        ->type_name("ID")
        ->group(kGroup);
    addNumber(command, "--more-rounds", arguments.moreRounds,
              "with --resume: so many rounds more than it was to have")
        ->group(kGroup);
    const auto takeCells = [&arguments](const std::string& text) { arguments.again = cellsAgainFrom(text); };
    command
        .add_option_function<std::string>(
            "--again", takeCells,
            "with --resume: measure these cells anew, as POLICY:BATCH,..; or disturbed: "
            "all that other work disturbed")
        ->type_name("CELLS")
        ->group(kGroup);
}

void addOutputOptions(CLI::App& command, SweepArguments& arguments) {
    constexpr const char* kGroup = "What is written";
    command.add_option("--name", arguments.config.base.name, "a name for the sweep in the history")
        ->type_name("TEXT")
        ->group(kGroup);
    command.add_option("--csv", arguments.csv, "write one row a cell")->type_name("FILE")->group(kGroup);
    command.add_option("--markdown", arguments.markdown, "write the tables as Markdown")
        ->type_name("FILE")
        ->group(kGroup);
    command.add_option("--latex", arguments.latex, "write the tables as LaTeX, for \\input")
        ->type_name("FILE")
        ->group(kGroup);
    command.add_flag("--json", arguments.json, "print one JSON document")->group(kGroup);
}

void refuseWhatResumeCannotChange(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() > 0 && std::ranges::find(kBesideResume, option->get_name()) == kBesideResume.end()) {
            throw ConfigError("resume",
                              fmt::format("{} cannot be given together with --resume, which goes on with the sweep's "
                                          "own settings; leave it out or start a new sweep.",
                                          option->get_name()));
        }
    }
}

template <typename T>
bool has(const std::vector<T>& list, const T& value) {
    return std::ranges::find(list, value) != list.end();
}

void checkBaseline(const values::SweepConfig& config) {
    const values::Baseline& baseline = config.baseline;
    if (baseline.policy && !has(config.policies, *baseline.policy)) {
        throw ConfigError("baseline", "--baseline names a policy that is not in --policies; add it there.");
    }
    if (baseline.device && !has(config.devices, *baseline.device)) {
        throw ConfigError("baseline", "--baseline-device names a device that is not in --devices; add it there.");
    }
    if (baseline.isa && !has(config.isas, *baseline.isa)) {
        throw ConfigError("baseline", "--baseline-isa names an instruction set that is not in --isas; add it there.");
    }
}

} // namespace

void addSweepOptions(CLI::App& command, SweepArguments& arguments) {
    addListOptions(command, arguments.config);
    addMeasuringOptions(command, arguments);
    addBaselineOptions(command, arguments.config.baseline);
    addSharedOptions(command, arguments.config.base);
    addOptimizerOptions(command, arguments.config.base);
    addResumeOptions(command, arguments);
    addOutputOptions(command, arguments);
}

void checkSweepOptions(const CLI::App& command, SweepArguments& arguments) {
    values::SweepConfig& config = arguments.config;
    if (arguments.moreRounds < 0 || (arguments.moreRounds > 0 && !arguments.resume)) {
        throw ConfigError("more_rounds", "--more-rounds takes a number above 0 and goes with --resume.");
    }
    if (arguments.again && !arguments.resume) {
        throw ConfigError("again", "--again goes with --resume, which says of which sweep the cells are.");
    }
    if (arguments.resume) {
        refuseWhatResumeCannotChange(command);
        return;
    }
    config.input = arguments.synthetic ? values::SweepInput::Synthetic : values::SweepInput::Pipeline;
    if (command.count("--baseline") == 0) {
        config.baseline.policy = values::usualBaseline(config.policies);
    }
    checkOptimizerOptions(command, config.base);
    refuseProblems(problemsOf(config));
    for (const std::string& isa : config.isas) {
        refuseUnknownIsa(isa);
    }
    checkBaseline(config);
}

std::vector<std::size_t> cellsAgain(const CellsAgain& again, const values::Sweep& sweep) {
    const std::vector<analysis::CellFigures> figures = analysis::figuresOf(sweep);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const values::CellKey& key = sweep.cells[i].key;
        const auto isKey = [&key](const CellsAgain::Cell& cell) {
            return cell.policy == key.policy && cell.batchSize == key.batchSize;
        };
        const bool disturbed = again.disturbed && figures[i].status == values::CellStatus::Disturbed;
        if (disturbed || std::ranges::any_of(again.cells, isKey)) {
            places.push_back(i);
        }
    }
    for (const CellsAgain::Cell& wanted : again.cells) {
        const auto isWanted = [&wanted](const values::SweepCell& cell) {
            return wanted.policy == cell.key.policy && wanted.batchSize == cell.key.batchSize;
        };
        if (std::ranges::none_of(sweep.cells, isWanted)) {
            throw ConfigError(
                "again", fmt::format("Sweep {} has no cell {}:{}; `halfstep runs show s{}` lists its cells.",
                                     sweep.id, precision::traitsOf(wanted.policy).name, wanted.batchSize, sweep.id));
        }
    }
    return places;
}

} // namespace halfstep::app
