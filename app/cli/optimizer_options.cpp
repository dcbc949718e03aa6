#include "app/cli/optimizer_options.h"
#include "app/cli/arguments.h"
#include "app/cli/config_options.h"
#include "engine/tensor/error.h"
#include <CLI/CLI.hpp>
#include <string_view>

namespace halfstep::app {
namespace {

/// Adds an option that takes one of some names; `fromName` gives nothing for any other.
template <typename T>
CLI::Option* addNamed(CLI::App& command, const std::string& flag, T& target,
                      std::optional<T> (*fromName)(std::string_view), const std::string& names,
                      const std::string& help) {
    const auto take = [flag, names, fromName, &target](const std::string& text) {
        const auto known = fromName(text);
        if (!known) {
            refuseArgument(flag, text, "one of " + names);
        }
        target = *known;
    };
    return command.add_option_function<std::string>(flag, take, help)->type_name("NAME");
}

} // namespace

void addOptimizerOptions(CLI::App& command, values::ExperimentConfig& config) {
    constexpr const char* kGroup = "Optimizer and loss scale";
    values::LossScaleSettings& scale = config.lossScale;
    addNamed(command, "--optimizer", config.optimizer, &values::optimizerNamed, "adam, sgd",
             "adam or sgd, with Keras' update rules (adam)")
        ->group(kGroup);
    addNumber(command, "--learning-rate", config.learningRate, "of the optimizer (0.001)")->group(kGroup);
    addNumber(command, "--epsilon", config.epsilon, "Adam's, outside the root as in Keras (1e-7)")->group(kGroup);
    addNamed(command, "--loss-scaling", scale.scaling, &precision::lossScalingNamed, "auto, dynamic, fixed, off",
             "dynamic, fixed, off, or auto: dynamic for mixed_float16, else off (auto)")
        ->group(kGroup);
    addNamed(command, "--loss-scale-rule", scale.rule, &precision::lossScaleRuleNamed, "keras, pytorch",
             "whose defaults the scale moves by, keras or pytorch (keras)")
        ->group(kGroup);
    addOptional(command, "--loss-scale", scale.scale,
                "the first scale, or the fixed one (keras 32768, pytorch 65536)")
        ->group(kGroup);
    addOptional(command, "--loss-scale-growth", scale.growthFactor, "factor after enough finite steps in a row (2)")
        ->group(kGroup);
    addOptional(command, "--loss-scale-backoff", scale.backoffFactor, "factor after a step that is not finite (0.5)")
        ->group(kGroup);
    addOptional(command, "--loss-scale-interval", scale.growthInterval,
                "finite steps in a row before the scale grows (2000)")
        ->group(kGroup);
}

void checkOptimizerOptions(const CLI::App& command, const values::ExperimentConfig& config) {
    if (config.optimizer != values::OptimizerKind::Adam && command.count("--epsilon") > 0) {
        throw ConfigError("epsilon", "--epsilon is Adam's; leave it out, or choose --optimizer adam.");
    }
}

} // namespace halfstep::app
