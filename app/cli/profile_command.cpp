#include "app/cli/commands.h"
#include "app/cli/config_options.h"
#include "app/cli/console_reporter.h"
#include "app/cli/exit_code.h"
#include "app/cli/profile_table.h"
#include "app/cli/stop_signals.h"
#include "engine/measure/profile.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace halfstep::app {
namespace {

constexpr std::int64_t kMostSteps = 100000;

constexpr const char* kExamples = R"(Examples:
  halfstep profile
      where a float32 step on 32 images of the built-in sample goes
  halfstep profile --policy mixed_float16 --against float32
      and why it is, or is not, faster than a float32 step, made in turn with it
  halfstep profile --policy mixed_bfloat16 --batch-size 8 --threads 1 --json > profile.json

Nothing is entered in the history.)";

struct ProfileArguments {
    values::ExperimentConfig config;
    measure::ProfileOptions options;
    std::optional<precision::Policy> against{};
    bool json = false;
};

int profile(const ProfileArguments& arguments, const train::Places& places) {
    const StopSignals signals([] { std::cerr << "\nStopping; Ctrl-C again ends at once." << std::endl; });
    ConsoleReporter reporter(std::cerr, ConsoleReporter::optionsOfStandardError());
    std::vector<values::ExperimentConfig> configs{arguments.config};
    if (arguments.against) {
        configs.push_back(arguments.config);
        configs.back().policy = *arguments.against;
    }
    const std::vector<values::StepProfile> profiles = measure::profileSteps(
        configs, places, arguments.options, [&](const values::DataProgress& progress) { reporter.take(progress); },
        signals.token());
    reporter.end();
    const values::StepProfile* baseline = arguments.against ? &profiles.back() : nullptr;
    if (arguments.json) {
        std::cout << values::jsonText(profileJson(profiles.front(), baseline)) << '\n';
    } else {
        std::cout << profileText(profiles.front(), baseline);
    }
    return kDone;
}

void check(const ProfileArguments& arguments) {
    refuseUnknownIsa(arguments.config.isa);
    refuseProblems(values::problemsOf(arguments.config));
    if (arguments.options.steps < 1 || arguments.options.steps > kMostSteps) {
        refuseArgument("--steps", std::to_string(arguments.options.steps), "a number between 1 and 100000");
    }
    if (arguments.options.warmUpSteps < 0 || arguments.options.warmUpSteps > kMostSteps) {
        refuseArgument("--warmup", std::to_string(arguments.options.warmUpSteps), "a number between 0 and 100000");
    }
    if (arguments.against == arguments.config.policy) {
        throw ConfigError("against", "--against needs another policy than --policy; leave it out, or choose one.");
    }
}

} // namespace

void addProfileCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("profile", "show where the time of a training step goes, and why");
    const auto arguments = std::make_shared<ProfileArguments>();
    addStepOptions(*command, arguments->config);
    addNumber(*command, "--steps", arguments->options.steps, "steps that are timed in parts, and as a whole (20)");
    addNumber(*command, "--warmup", arguments->options.warmUpSteps, "steps before them (3)");
    command
        ->add_option_function<std::string>(
            "--against", [arguments](const std::string& text) { arguments->against = policyFrom("--against", text); },
            "profile this policy too, in turn, and explain the difference")
        ->type_name("P");
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->footer(kExamples);
    command->callback([&invocation, arguments] {
        check(*arguments);
        invocation.action = [&invocation, arguments] { return profile(*arguments, invocation.places()); };
    });
}

} // namespace halfstep::app
