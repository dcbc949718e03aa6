#include "app/cli/train_options.h"
#include "app/cli/arguments.h"
#include "app/cli/config_options.h"
#include "app/cli/optimizer_options.h"
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

void addLargestBatch(CLI::App& command, TrainArguments& arguments) {
    command.add_flag("--largest-batch", arguments.largestBatch,
                     "train nothing: print the largest batch that fits into the memory, and what it takes");
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
    addLargestBatch(command, arguments);
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
    if (arguments.largestBatch && command.count("--batch-size") > 0) {
        throw ConfigError("batch_size",
                          "--batch-size cannot be given together with --largest-batch, which finds it.");
    }
    checkOptimizerOptions(command, arguments.config);
    refuseUnknownIsa(arguments.config.isa);
    refuseProblems(values::problemsOf(arguments.config));
}

} // namespace halfstep::app
