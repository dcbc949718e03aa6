#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "engine/backend/backend.h"
#include "engine/store/safetensors.h"
#include "engine/tensor/error.h"
#include "engine/train/single_step.h"
#include "engine/values/number_text.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iostream>
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

/// Keras' saved models call a variable "conv2d/kernel:0", newer ones "conv2d/kernel".
std::string withoutOutputNumber(std::string name) {
    if (name.ends_with(":0")) {
        name.erase(name.size() - 2);
    }
    return name;
}

tensor::Shape shapeOf(const SafetensorsArray& array, const std::string& file) {
    const std::vector<std::int64_t>& s = array.shape;
    switch (s.size()) {
    case 0:
        return {};
    case 1:
        return {s[0]};
    case 2:
        return {s[0], s[1]};
    case 3:
        return {s[0], s[1], s[2]};
    case 4:
        return {s[0], s[1], s[2], s[3]};
    default:
        throw DataError(
            fmt::format("\"{}\" in \"{}\" has {} dimensions; at most 4 are expected.", array.name, file, s.size()));
    }
}

train::NamedArray floatsOf(SafetensorsArray& array, const std::string& file) {
    auto* values = std::get_if<std::vector<float>>(&array.values);
    if (values == nullptr) {
        throw DataError(fmt::format("\"{}\" in \"{}\" holds whole numbers; float32 is expected.", array.name, file));
    }
    return {withoutOutputNumber(array.name), shapeOf(array, file), std::move(*values)};
}

std::vector<train::NamedArray> readWeights(const std::string& file) {
    std::vector<train::NamedArray> weights;
    for (SafetensorsArray& array : store::readSafetensors(file)) {
        weights.push_back(floatsOf(array, file));
        const auto& name = weights.back().name;
        if (std::ranges::count(weights, name, &train::NamedArray::name) > 1) {
            throw DataError(fmt::format("\"{}\" comes twice in \"{}\", with and without \":0\".", name, file));
        }
    }
    return weights;
}

void readBatch(const std::string& file, train::SingleStepInput& step) {
    bool hasImages = false;
    bool hasLabels = false;
    for (SafetensorsArray& array : store::readSafetensors(file)) {
        if (array.name == "images") {
            step.images = floatsOf(array, file);
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

SafetensorsArray arrayOf(train::NamedArray& array) {
    SafetensorsArray result{array.name, {}, std::move(array.values)};
    for (int dimension = 0; dimension < array.shape.rank(); ++dimension) {
        result.shape.push_back(array.shape[dimension]);
    }
    return result;
}

int makeStep(StepArguments& arguments) {
    arguments.step.weights = readWeights(arguments.weights);
    readBatch(arguments.batch, arguments.step);
    train::SingleStepOutput output = train::singleStep(backend::makeBackend(arguments.backend), arguments.step);

    std::vector<SafetensorsArray> arrays;
    arrays.push_back({"loss", {}, std::vector{static_cast<float>(output.loss)}});
    arrays.push_back(arrayOf(output.logits));
    for (train::NamedArray& gradient : output.gradients) {
        arrays.push_back(arrayOf(gradient));
    }
    for (train::NamedArray& weight : output.updated) {
        arrays.push_back(arrayOf(weight));
    }
    arrays.push_back({"gradients_finite", {}, std::vector{output.gradientsFinite ? 1.0f : 0.0f}});
    store::writeSafetensors(arguments.output, arrays);
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
