#include "app/cli/config_options.h"
#include "engine/backend/devices.h"
#include "engine/report/command.h"
#include "engine/tensor/error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace halfstep::app {
void refuseUnknownIsa(const std::string& isa) {
    std::vector<std::string> known{"auto"};
    for (const backend::DeviceInfo& device : backend::devices()) {
        known.insert(known.end(), device.isas.begin(), device.isas.end());
    }
    if (std::ranges::find(known, isa) == known.end()) {
        refuseArgument("--isa", isa, fmt::format("one of {}", fmt::join(known, ", ")));
    }
}

void refuseProblems(const std::vector<values::FieldProblem>& problems) {
    std::string sentences;
    for (const values::FieldProblem& problem : problems) {
        sentences += fmt::format("{}{}: {}", sentences.empty() ? "" : "\n          ", report::flagOf(problem.field),
                                 problem.sentence);
    }
    if (!sentences.empty()) {
        throw ConfigError("", sentences);
    }
}

void addSharedOptions(CLI::App& command, values::ExperimentConfig& config) {
    command.add_option("--data", config.data, "sample, a folder with train/ and val/, or a .tgz of one (sample)")
        ->type_name("SOURCE");
    addNumber(command, "--image-size", config.imageSize, "side of the pictures in pixels (256)");
    addNumber(command, "--seed", config.seed, "decides the first weights and the order of the images (1)");
    addNumber(command, "--threads", config.threads, "threads that compute (0: all cores); changes no result");
    command.add_option("--convolution", config.convolution, "auto, fft or direct (auto)")->type_name("C");
    const auto takeLimit = [&config](const std::string& text) {
        config.memoryLimitBytes = bytesFrom("--memory-limit", text);
    };
    command.add_option_function<std::string>("--memory-limit", takeLimit, "most memory for tensors, such as 4GiB")
        ->type_name("SIZE");
}

void addStepOptions(CLI::App& command, values::ExperimentConfig& config) {
    addPolicy(command, config.policy);
    addNumber(command, "--batch-size", config.batchSize, "images a step (32)");
    command.add_option("--device", config.device, "auto, cpu or cuda:0 (auto)")->type_name("D");
    command.add_option("--isa", config.isa, "instruction set, as `halfstep devices` lists them (auto)")
        ->type_name("I");
    addSharedOptions(command, config);
}

} // namespace halfstep::app
