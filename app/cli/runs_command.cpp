#include "app/cli/commands.h"
#include "app/cli/history_actions.h"
#include <CLI/CLI.hpp>
#include <memory>

namespace halfstep::app {
namespace {

bool isSweep(const RunsArguments& arguments) {
    return arguments.id.kind == HistoryId::Kind::Sweep;
}

CLI::App* addCommand(CLI::App& group, Invocation& invocation, const std::shared_ptr<RunsArguments>& arguments,
                     const char* name, const char* help, int (*action)(History&, const RunsArguments&)) {
    CLI::App* command = group.add_subcommand(name, help);
    command->callback([&invocation, arguments, action] {
        invocation.action = [&invocation, arguments, action] {
            History history(invocation.places().historyFile);
            return action(history, *arguments);
        };
    });
    return command;
}

void addId(CLI::App& command, const std::shared_ptr<RunsArguments>& arguments) {
    const auto take = [arguments](const std::string& text) { arguments->id = historyIdFrom("ID", text); };
    command.add_option_function<std::string>("id", take, "number of a run, or s3 for sweep 3")
        ->required()
        ->type_name("ID");
}

} // namespace

void addRunsCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* group = app.add_subcommand("runs", "list, show, export and delete the runs and sweeps made so far");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<RunsArguments>();

    CLI::App* list =
        addCommand(*group, invocation, arguments, "list", "all runs and sweeps, newest first", &listHistory);
    list->add_flag("--json", arguments->asJson, "print one JSON document");

    CLI::App* show = addCommand(*group, invocation, arguments, "show",
                                "a run with its settings and epochs, or a sweep with its cells",
                                [](History& history, const RunsArguments& given) {
                                    return isSweep(given) ? showSweep(history, given) : showRun(history, given);
                                });
    addId(*show, arguments);
    show->add_flag("--json", arguments->asJson, "print one JSON document");

    CLI::App* write =
        addCommand(*group, invocation, arguments, "export", "write the numbers of a run or a sweep to files",
                   [](History& history, const RunsArguments& given) {
                       return isSweep(given) ? exportSweep(history, given) : exportRun(history, given);
                   });
    addId(*write, arguments);
    write->add_option("--csv", arguments->csv, "the steps, one a row; of a sweep the cells")->type_name("FILE");
    write->add_option("--json", arguments->json, "settings, environment, epochs and steps; of a sweep the rounds")
        ->type_name("FILE");
    write->add_option("--markdown", arguments->markdown, "its tables as Markdown")->type_name("FILE");
    write->add_option("--latex", arguments->latex, "its tables as LaTeX, for \\input")->type_name("FILE");
    write->add_option("--weights", arguments->weights, "the weights of its last checkpoint, as safetensors")
        ->type_name("FILE");
    write
        ->add_option("--numerics-csv", arguments->numericsCsv,
                     "for each recorded step and tensor: binary exponents, shares of zeros, subnormals, overflows")
        ->type_name("FILE");
    write->add_option("--numerics-json", arguments->numericsJson, "the same as one JSON document")->type_name("FILE");

    CLI::App* remove = addCommand(*group, invocation, arguments, "delete", "remove a run or a sweep from the history",
                                  [](History& history, const RunsArguments& given) {
                                      return isSweep(given) ? deleteSweep(history, given) : deleteRun(history, given);
                                  });
    addId(*remove, arguments);
}

} // namespace halfstep::app
