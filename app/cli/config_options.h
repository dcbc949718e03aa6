#pragma once
#include "app/cli/arguments.h"
#include "engine/values/experiment_config.h"
#include <optional>
#include <string>

namespace CLI {
class App;
}

/// What several commands ask of the steps that they make.
namespace halfstep::app {

/// Adds the options that decide how a step is made: data, batch size, device, image size, seed, threads, instruction
/// set, convolution, memory limit; and --policy, unless a command has its own.
void addStepOptions(CLI::App& command, values::ExperimentConfig& config, bool withPolicy = true);

/// Throws ConfigError with every problem of the configuration at once, each after its flag.
void refuseProblems(const values::ExperimentConfig& config);

/// Throws ConfigError with the list, also for names that no instruction set could have.
void refuseUnknownIsa(const std::string& isa);

/// Adds an option that is set only if it is given.
template <typename T>
CLI::Option* addOptional(CLI::App& command, const std::string& flag, std::optional<T>& target,
                         const std::string& help) {
    return command
        .add_option_function<std::string>(
            flag, [flag, &target](const std::string& text) { target = numberFrom<T>(flag, text); }, help)
        ->type_name(std::is_integral_v<T> ? "N" : "NUMBER");
}

} // namespace halfstep::app
