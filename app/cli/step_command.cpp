#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "engine/backend/backend.h"
#include "engine/store/safetensors.h"
#include "engine/tensor/error.h"
#include "engine/train/single_step.h"
#include "engine/train/weights_file.h"
#include "engine/values/number_text.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <memory>

namespace halfstep::app {
namespace {
using store::SafetensorsArray;

struct StepArguments {
    std::string weights;
    std::string batch;
    std::string output;
    backend::BackendOptions backend;
    train::SingleStepInput step;
};

void readBatch(const std::string& file, train::SingleStepInput& step) {
    bool hasImages = false;
    bool hasLabels = false;
    for (SafetensorsArray& array : store::readSafetensors(file)) {
        if (array.name == "images") {
            step.images = train::floatsOf(std::move(array), file);
            hasImages = true;
        } else if (array.name == "labels") {
            auto* labels = std::get_if<std::vector<std::int64_t>>(&array.values);
            if (labels == nullptr || array.shape.size() != 1) {
                throw DataError(
                    fmt::format("\"labels\" in \"{}\" must be whole numbers (int64) of shape [N].", file));
            }
            step.labels = std::move(*labels);
            hasLabels = true;
        } else {
            throw DataError(fmt::format("\"{}\" holds \"{}\"; a batch is \"images\" [N, H, W, 3] in 0 to 1 and "
                                        "\"labels\" [N].",
                                        file, array.name));
        }
    }
    if (!hasImages || !hasLabels) {
        throw DataError(
            fmt::format("\"{}\" lacks \"{}\"; a batch is \"images\" [N, H, W, 3] in 0 to 1 and \"labels\" [N].", file,
                        hasImages ? "labels" : "images"));
    }
}

int makeStep(StepArguments& arguments) {
    arguments.step.weights = train::readWeights(arguments.weights);
    arguments.step.weightsUse = train::useOfWeights(arguments.weights);
    readBatch(arguments.batch, arguments.step);
    train::SingleStepOutput output = train::singleStep(backend::makeBackend(arguments.backend), arguments.step);

    std::vector<train::NamedArray> arrays;
    arrays.push_back({"loss", {}, {static_cast<float>(output.loss)}});
    arrays.push_back(std::move(output.logits));
    std::ranges::move(output.gradients, std::back_inserter(arrays));
    std::ranges::move(output.updated, std::back_inserter(arrays));
    arrays.push_back({"gradients_finite", {}, {output.gradientsFinite ? 1.0f : 0.0f}});
    train::writeArrays(arguments.output, std::move(arrays));
    std::cout << fmt::format("loss {}, gradients {}; written to {}\n", values::numberText(output.loss),
                             output.gradientsFinite ? "finite" : "not finite (nothing was updated)",
                             arguments.output);
    return kDone;
}

double positive(const std::string& flag, const std::string& text) {
    const double value = numberFrom<double>(flag, text);
    if (!std::isfinite(value) || value <= 0) {
        refuseArgument(flag, text, "a finite number above 0");
    }
    return value;
}

} // namespace

void addStepCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("step", "make one training step on given weights and a given batch");
    const auto arguments = std::make_shared<StepArguments>();
    const auto addFile = [command](const char* flag, std::string& target, const char* help) {
        command->add_option(flag, target, help)->required()->type_name("FILE");
    };
    addFile("--weights", arguments->weights, "safetensors with the weights under Keras' names (conv2d/kernel, ...)");
    addFile("--batch", arguments->batch, "safetensors with images [N,H,W,3] in 0 to 1 and labels [N]");
    addFile("--output", arguments->output, "safetensors to write: loss, logits, gradient/..., updated/...");
    addPolicy(*command, arguments->step.policy);
    command->add_option("--device", arguments->backend.device, "auto, cpu or cuda:0 (auto)")->type_name("D");
    addNumber(*command, "--threads", arguments->backend.threads, "threads that compute (0: all cores)");
    command->add_option("--isa", arguments->backend.isa, "instruction set (auto)")->type_name("I");
    command->add_option("--convolution", arguments->backend.convolution, "auto, fft or direct (auto)")
        ->type_name("C")
        ->check(CLI::IsMember({"auto", "fft", "direct"}));
    const auto addPositive = [command](const char* flag, const char* help, auto take) {
        command
            ->add_option_function<std::string>(
                flag, [flag, take](const std::string& text) { take(positive(flag, text)); }, help)
            ->type_name("NUMBER");
    };
    addPositive("--loss-scale", "scale of the loss (mixed_float16: 32768, others: none)",
                [arguments](double value) { arguments->step.lossScale = value; });
    addPositive("--learning-rate", "of Adam (0.001)",
                [arguments](double value) { arguments->step.learningRate = value; });
    command->callback([&invocation, arguments] { invocation.action = [arguments] { return makeStep(*arguments); }; });
}

} // namespace halfstep::app
