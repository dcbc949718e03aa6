#include "app/cli/exit_code.h"
#include "app/cli/history_actions.h"
#include "app/cli/sweep_table.h"
#include "engine/report/command.h"
#include "engine/report/plain_text.h"
#include "engine/report/sweep_tables.h"
#include "engine/store/run_export.h"
#include "engine/store/sweep_export.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace halfstep::app {

values::Sweep wantedSweep(const History& history, std::int64_t id) {
    std::optional<values::Sweep> sweep = history.sweeps.sweep(id);
    if (!sweep) {
        throw StoreError(fmt::format("There is no sweep {}; `halfstep runs list` shows those that there are.", id));
    }
    return *std::move(sweep);
}

int showSweep(History& history, const RunsArguments& arguments) {
    const values::Sweep sweep = wantedSweep(history, arguments.id.number);
    if (arguments.asJson) {
        std::cout << values::jsonText(store::sweepJson(sweep)) << '\n';
        return kDone;
    }
    const auto row = [](std::string_view label, const auto& value) {
        std::cout << fmt::format("{:<16}  {}\n", label, value);
    };
    row("sweep", sweep.id);
    row("name", report::plainLine(sweep.config.base.name));
    row("status", values::nameOf(sweep.status));
    row("message", report::plainLine(sweep.message));
    row("started (UTC)", sweep.startedAt);
    row("ended (UTC)", sweep.endedAt);
    row("data", report::plainLine(fmt::format("{} ({})", sweep.dataName, sweep.config.base.data)));
    row("rounds", fmt::format("{} of {}", values::roundsDone(sweep), sweep.config.repeats));
    row("machine", fmt::format("{}, {} threads", sweep.environment.cpu, sweep.environment.threads));
    row("made by", report::shellCommand(report::sweepArguments(sweep.config)));
    std::cout << '\n' << sweepText(sweep);
    return kDone;
}

int exportSweep(History& history, const RunsArguments& arguments) {
    if (!arguments.weights.empty() || !arguments.numericsCsv.empty() || !arguments.numericsJson.empty()) {
        throw ConfigError("weights", "--weights, --numerics-csv and --numerics-json are of runs; a sweep has --csv, "
                                     "--json, --markdown and --latex.");
    }
    if (arguments.csv.empty() && arguments.json.empty() && arguments.markdown.empty() && arguments.latex.empty()) {
        throw ConfigError("csv",
                          "`halfstep runs export` of a sweep needs --csv FILE, --json FILE, --markdown FILE or "
                          "--latex FILE.");
    }
    const values::Sweep sweep = wantedSweep(history, arguments.id.number);
    const auto write = [&](const std::string& file, std::string (*text)(const values::Sweep&)) {
        if (!file.empty()) {
            store::writeFileAtomically(file, text(sweep));
        }
    };
    write(arguments.csv, &store::cellsCsv);
    write(arguments.json, [](const values::Sweep& of) { return values::jsonText(store::sweepJson(of)) + '\n'; });
    write(arguments.markdown, &report::sweepMarkdown);
    write(arguments.latex, &report::sweepLatex);
    std::cerr << fmt::format("Sweep {}: {} cells written.\n", sweep.id, sweep.cells.size());
    return kDone;
}

int deleteSweep(History& history, const RunsArguments& arguments) {
    wantedSweep(history, arguments.id.number);
    history.sweeps.remove(arguments.id.number);
    std::cerr << fmt::format("Sweep {} is deleted.\n", arguments.id.number);
    return kDone;
}

} // namespace halfstep::app
