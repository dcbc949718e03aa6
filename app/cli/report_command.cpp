#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/history_actions.h"
#include "engine/report/html_report.h"
#include "engine/store/atomic_file.h"
#include "engine/store/run_export.h"
#include "engine/tensor/error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <memory>

namespace halfstep::app {
namespace {

constexpr const char* kExamples = R"(Examples:
  halfstep report s3 --output report.html
      sweep 3: its tables, charts, environment, and the command that repeats it
  halfstep report s3 4 5 6 --output report.html
      and runs 4, 5 and 6, also side by side

`halfstep runs list` shows the numbers. The file refers to no other and needs no network.)";

struct ReportArguments {
    std::vector<HistoryId> ids{};
    std::string output{};
};

report::ReportContent contentOf(const History& history, const std::vector<HistoryId>& ids) {
    report::ReportContent content;
    for (const HistoryId& id : ids) {
        if (id.kind == HistoryId::Kind::Sweep) {
            content.sweeps.push_back(wantedSweep(history, id.number));
        } else {
            content.runs.push_back({.run = wantedRun(history, id.number),
                                    .epochs = history.runs.epochs(id.number),
                                    .steps = history.runs.steps(id.number)});
        }
    }
    return content;
}

int report(const ReportArguments& arguments, const Invocation& invocation) {
    const History history(invocation.places().historyFile);
    const report::ReportContent content = contentOf(history, arguments.ids);
    {
        const store::AtomicFile tried(arguments.output); // better said before the drawing than after
    }
    if (!invocation.charts.ofSweep) {
        std::cerr << "The charts are left out: this program was built without the window, which draws them.\n";
    }
    const std::string text = report::htmlReport(content, invocation.charts);
    store::writeFileAtomically(arguments.output, text);
    std::cerr << fmt::format("{}: {} sweep{} and {} run{} written.\n", arguments.output, content.sweeps.size(),
                             content.sweeps.size() == 1 ? "" : "s", content.runs.size(),
                             content.runs.size() == 1 ? "" : "s");
    return kDone;
}

void takeId(ReportArguments& arguments, const std::string& text) {
    const HistoryId id = historyIdFrom("ID", text);
    if (std::ranges::find(arguments.ids, id) != arguments.ids.end()) {
        throw ConfigError("ID", fmt::format("{} stands twice in the list; name each run and sweep once.", text));
    }
    arguments.ids.push_back(id);
}

} // namespace

void addReportCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("report", "write sweeps and runs with their charts as one HTML file");
    const auto arguments = std::make_shared<ReportArguments>();
    const auto take = [arguments](const std::vector<std::string>& texts) {
        arguments->ids.clear();
        for (const std::string& text : texts) {
            takeId(*arguments, text);
        }
    };
    command->add_option_function<std::vector<std::string>>("id", take, "numbers of runs, and of sweeps as s3")
        ->required()
        ->type_name("ID");
    command->add_option("--output", arguments->output, "the HTML file")->required()->type_name("FILE");
    command->footer(kExamples);
    command->callback([&invocation, arguments] {
        invocation.action = [&invocation, arguments] { return report(*arguments, invocation); };
    });
}

} // namespace halfstep::app
