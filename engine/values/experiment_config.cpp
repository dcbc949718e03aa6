#include "engine/values/experiment_config.h"
#include "engine/values/number_text.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace halfstep::values {
namespace {

/// Names travel in files and on command lines: lower-case letters, digits and underscores.
bool isPlainName(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// "cuda:0", "cuda:12"
bool isCudaDevice(std::string_view text) {
    constexpr std::string_view kPrefix = "cuda:";
    const std::string_view number = text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : std::string_view{};
    return !number.empty() && number.size() <= 3 &&
           std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

class Problems {
public:
    void add(std::string field, std::string sentence) { m_list.push_back({std::move(field), std::move(sentence)}); }

    void range(const char* field, const char* words, std::int64_t value, std::int64_t least, std::int64_t most) {
        if (value < least || value > most) {
            add(field, fmt::format("The {} is {}; it must lie between {} and {}.", words, value, least, most));
        }
    }

    /// NaN is never in range.
    void positive(const char* field, const char* words, double value, const char* example) {
        if (!std::isfinite(value) || value <= 0) {
            add(field, fmt::format("The {} is {}; it must be a finite number above 0, such as {}.", words,
                                   numberText(value), example));
        }
    }

    std::vector<FieldProblem> take() { return std::move(m_list); }

private:
    std::vector<FieldProblem> m_list;
};

/// The largest power of two that float32 holds: a scale above it is infinite where it is used.
constexpr double kLargestLossScale = 0x1p127;

void addLossScaleProblems(Problems& problems, const LossScaleSettings& settings) {
    if (settings.scale && !(*settings.scale >= 1 && *settings.scale <= kLargestLossScale)) {
        problems.add("loss_scale", fmt::format("The loss scale is {}; it must lie between 1 and {} (2^127), such as "
                                               "32768.",
                                               numberText(*settings.scale), numberText(kLargestLossScale)));
    }
    if (settings.growthFactor && !(*settings.growthFactor >= 1 && *settings.growthFactor <= 65536)) {
        problems.add("loss_scale_growth",
                     fmt::format("The growth factor of the loss scale is {}; it must lie between "
                                 "1 and 65536, such as 2.",
                                 numberText(*settings.growthFactor)));
    }
    if (settings.backoffFactor && !(*settings.backoffFactor > 0 && *settings.backoffFactor < 1)) {
        problems.add("loss_scale_backoff", fmt::format("The back-off factor of the loss scale is {}; it must lie "
                                                       "between 0 and 1, such as 0.5.",
                                                       numberText(*settings.backoffFactor)));
    }
    problems.range("loss_scale_interval", "growth interval of the loss scale", settings.growthInterval.value_or(1), 1,
                   1'000'000'000);
    using precision::LossScaling;
    const bool moves = settings.growthFactor || settings.backoffFactor || settings.growthInterval;
    if (settings.scaling == LossScaling::Off && (settings.scale || moves)) {
        problems.add("loss_scaling",
                     "Loss scaling is off, but settings of the loss scale are given; choose dynamic or "
                     "fixed, or leave them out.");
    }
    if (settings.scaling == LossScaling::Fixed && moves) {
        problems.add("loss_scaling",
                     "A fixed loss scale neither grows nor backs off; choose dynamic, or leave growth, "
                     "back-off and interval out.");
    }
}

} // namespace

std::string_view nameOf(OptimizerKind kind) {
    return kind == OptimizerKind::Adam ? "adam" : "sgd";
}

std::optional<OptimizerKind> optimizerNamed(std::string_view name) {
    for (const OptimizerKind kind : {OptimizerKind::Adam, OptimizerKind::Sgd}) {
        if (nameOf(kind) == name) {
            return kind;
        }
    }
    return std::nullopt;
}

std::optional<precision::LossScalerOptions> lossScalerOptions(const ExperimentConfig& config) {
    using precision::LossScaling;
    const LossScaleSettings& settings = config.lossScale;
    LossScaling scaling = settings.scaling;
    if (scaling == LossScaling::Auto) {
        scaling = precision::traitsOf(config.policy).dynamicLossScaling ? LossScaling::Dynamic : LossScaling::Off;
    }
    if (scaling == LossScaling::Off) {
        return std::nullopt;
    }
    precision::LossScalerOptions options = precision::defaultsOf(settings.rule);
    options.dynamic = scaling == LossScaling::Dynamic;
    options.initialScale = settings.scale.value_or(options.initialScale);
    options.growthFactor = settings.growthFactor.value_or(options.growthFactor);
    options.backoffFactor = settings.backoffFactor.value_or(options.backoffFactor);
    options.growthInterval = settings.growthInterval.value_or(options.growthInterval);
    return options;
}

std::vector<std::string> warningsOf(const ExperimentConfig& config) {
    std::optional<precision::AdamConstants> adam;
    if (config.optimizer == OptimizerKind::Adam) {
        adam = precision::AdamConstants{.epsilon = config.epsilon};
    }
    return precision::warningsOf(config.policy, adam);
}

std::vector<FieldProblem> problemsOf(const ExperimentConfig& config) {
    Problems problems;
    if (config.data.empty()) {
        problems.add("data", "No data are chosen; give \"sample\", a folder with train/ and val/, or a .tgz of one.");
    }
    problems.range("batch_size", "batch size", config.batchSize, 1, 1'000'000);
    if (config.device != "auto" && config.device != "cpu" && !isCudaDevice(config.device)) {
        problems.add("device",
                     fmt::format("The device \"{}\" is not known; choose auto, cpu or cuda:0.", config.device));
    }
    problems.range("epochs", "number of epochs", config.epochs, 1, 10000);
    if (config.steps && *config.steps < 1) {
        problems.add("steps", fmt::format("The number of steps is {}; it must be at least 1.", *config.steps));
    }
    problems.range("image_size", "image size", config.imageSize, 16, 4096);
    problems.range("threads", "number of threads", config.threads, 0, 512);
    if (!isPlainName(config.isa)) {
        problems.add("isa", fmt::format("The instruction set \"{}\" is not known; choose auto or one that `halfstep "
                                        "devices` lists.",
                                        config.isa));
    }
    if (config.convolution != "auto" && config.convolution != "fft" && config.convolution != "direct") {
        problems.add("convolution",
                     fmt::format("The convolution method \"{}\" is not known; choose auto, fft or direct.",
                                 config.convolution));
    }
    problems.positive("learning_rate", "learning rate", config.learningRate, "0.001");
    problems.positive("epsilon", "epsilon of Adam", config.epsilon, "1e-7");
    addLossScaleProblems(problems, config.lossScale);
    problems.range("numerics_every", "number of steps between records of the numerics", config.numericsEvery, 0,
                   1'000'000);
    problems.range("early_stopping_patience", "patience of early stopping", config.earlyStoppingPatience.value_or(1),
                   1, 10000);
    problems.range("checkpoint_every", "number of steps between checkpoints", config.checkpointEvery.value_or(1), 1,
                   1'000'000'000);
    if (config.checkpointEvery && config.checkpoint.empty()) {
        problems.add("checkpoint_every", "Checkpoints have no folder; give --checkpoint DIR too.");
    }
    if (config.memoryLimitBytes && *config.memoryLimitBytes == 0) {
        problems.add("memory_limit_bytes", "The memory limit is 0 bytes; give one above 0, such as 4GiB, or none.");
    }
    return problems.take();
}

} // namespace halfstep::values
