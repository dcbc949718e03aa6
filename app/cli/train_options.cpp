#include "app/cli/train_options.h"
#include "app/cli/arguments.h"
#include "app/cli/config_options.h"
#include "engine/tensor/error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace halfstep::app {
namespace {

/// What may stand beside --resume: where the run ends, and what changes no number.
constexpr std::array<std::string_view, 10> kBesideResume{
    "--resume",       "--epochs", "--steps", "--threads",      "--checkpoint-every",
    "--memory-limit", "--csv",    "--json",  "--save-weights", "--help"};

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

void refuseWhatResumeCannotChange(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() > 0 && std::ranges::find(kBesideResume, option->get_name()) == kBesideResume.end()) {
            throw ConfigError("resume",
                              fmt::format("{} cannot be given together with --resume, which goes on with the "
                                          "run's own settings; leave it out or start a new run.",
                                          option->get_name()));
        }
    }
}

void completeResume(const CLI::App& command, TrainArguments& arguments) {
    refuseWhatResumeCannotChange(command);
    const values::ExperimentConfig& given = arguments.config;
    train::ResumeRequest& request = *arguments.resume;
    request.epochs = command.count("--epochs") > 0 ? std::optional(given.epochs) : std::nullopt;
    request.steps = given.steps;
    request.threads = command.count("--threads") > 0 ? std::optional(given.threads) : std::nullopt;
    request.checkpointEvery = given.checkpointEvery;
    request.memoryLimitBytes = given.memoryLimitBytes;
}

void addRunOptions(CLI::App& command, values::ExperimentConfig& config) {
    addStepOptions(command, config);
    addNumber(command, "--epochs", config.epochs, "passes over the training images (20)");
    addOptional(command, "--steps", config.steps, "end after so many steps, whatever the epoch");
    addOptional(command, "--early-stopping", config.earlyStoppingPatience,
                "end after N epochs in a row without a better validation loss");
}

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

void addFileOptions(CLI::App& command, TrainArguments& arguments) {
    constexpr const char* kGroup = "What is kept";
    values::ExperimentConfig& config = arguments.config;
    command.add_option("--name", config.name, "a name for the run in the history")->type_name("TEXT")->group(kGroup);
    command.add_option("--csv", arguments.csv, "write every step as a row of this file")
        ->type_name("FILE")
        ->group(kGroup);
    command.add_flag("--json", arguments.json, "print the summary as one JSON document")->group(kGroup);
    addNumber(command, "--numerics-every", config.numericsEvery,
              "record the exponents of all tensors of every N-th step (10; 0: never)")
        ->group(kGroup);
    command.add_option("--weights", config.weights, "safetensors with the first weights, under Keras' names")
        ->type_name("FILE")
        ->group(kGroup);
    command.add_option("--save-weights", arguments.weightsFile, "write the final weights to this safetensors file")
        ->type_name("FILE")
        ->group(kGroup);
    command
        .add_option("--checkpoint", config.checkpoint,
                    "folder for the last and the best checkpoint, made after each epoch and at the end")
        ->type_name("DIR")
        ->group(kGroup);
    addOptional(command, "--checkpoint-every", config.checkpointEvery, "make one every N steps too")->group(kGroup);
    const auto takeRun = [&arguments](const std::string& text) {
        arguments.resume.emplace().run = numberFrom<std::int64_t>("--resume", text);
    };
    command
        .add_option_function<std::string>(
            "--resume", takeRun, "go on with a run from its last checkpoint, to the bit as if it had not ended")
        ->type_name("RUN")
        ->group(kGroup);
}

} // namespace

void addTrainOptions(CLI::App& command, TrainArguments& arguments) {
    addRunOptions(command, arguments.config);
    addOptimizerOptions(command, arguments.config);
    addFileOptions(command, arguments);
}

void checkTrainOptions(const CLI::App& command, TrainArguments& arguments) {
    if (command.count("--epochs") > 0 && command.count("--steps") > 0) {
        throw ConfigError("steps", "--epochs and --steps cannot be given together; choose one.");
    }
    if (arguments.resume) {
        completeResume(command, arguments);
        return;
    }
    if (arguments.config.optimizer != values::OptimizerKind::Adam && command.count("--epsilon") > 0) {
        throw ConfigError("epsilon", "--epsilon is Adam's; leave it out, or choose --optimizer adam.");
    }
    refuseUnknownIsa(arguments.config.isa);
    refuseProblems(values::problemsOf(arguments.config));
}

} // namespace halfstep::app
