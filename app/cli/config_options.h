#pragma once
#include "app/cli/arguments.h"
#include "engine/values/experiment_config.h"
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// What several commands ask of the steps that they make.
namespace halfstep::app {

/// Adds the options that all steps share, whatever their policy, batch, device and instruction set: data, image size,
/// seed, threads, convolution, memory limit.
void addSharedOptions(CLI::App& command, values::ExperimentConfig& config);
/// Adds those, and --policy, --batch-size, --device and --isa.
void addStepOptions(CLI::App& command, values::ExperimentConfig& config);

/// Throws ConfigError with every problem at once, each after its flag; does nothing if there is none.
void refuseProblems(const std::vector<values::FieldProblem>& problems);

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
