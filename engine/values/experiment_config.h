#pragma once
#include "engine/precision/loss_scaler.h"
#include "engine/precision/policy.h"
#include "engine/precision/policy_warnings.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::values {

/// "adam" or "sgd": Keras' update rules of those names.
enum class OptimizerKind { Adam, Sgd };
std::string_view nameOf(OptimizerKind kind);
std::optional<OptimizerKind> optimizerNamed(std::string_view name);

/// How the loss scale is kept. What is not set is the rule's default.
struct LossScaleSettings {
    precision::LossScaling scaling = precision::LossScaling::Auto;
    precision::LossScaleRule rule = precision::LossScaleRule::Keras;
    std::optional<double> scale{};                ///< the first one, or the fixed one
    std::optional<double> growthFactor{};         ///< at least 1
    std::optional<double> backoffFactor{};        ///< above 0 and below 1
    std::optional<std::int64_t> growthInterval{}; ///< finite steps in a row
    bool operator==(const LossScaleSettings&) const = default;
};

/// Everything that decides a run: goes down from the form or the command line as one value, and is kept with the run.
struct ExperimentConfig {
    std::string name{};          ///< free text, may be empty
    std::string data = "sample"; ///< "sample", a folder, a .tgz
    precision::Policy policy = precision::Policy::Float32;
    int batchSize = 32;
    std::string device = "auto"; ///< "auto", "cpu", "cuda:0"
    int epochs = 20;
    std::optional<std::int64_t> steps{}; ///< ends the run after so many steps, if set
    int imageSize = 256;                 ///< pixels; images are squares of this side
    std::uint64_t seed = 1;              ///< initial weights and the shuffle
    int threads = 0;                     ///< 0: all cores
    std::string isa = "auto";            ///< "auto" or a name that `devices` lists
    std::string convolution = "auto";    ///< "auto", "fft" or "direct"
    OptimizerKind optimizer = OptimizerKind::Adam;
    double learningRate = 0.001;
    double epsilon = 1e-7; ///< Adam's
    LossScaleSettings lossScale{};
    std::int64_t numericsEvery = 10; ///< steps between two records of the tensors' numbers; 0: never
    std::optional<std::int64_t> earlyStoppingPatience{}; ///< epochs without a better validation loss that end the run
    std::string weights{};                               ///< a safetensors file with the first weights, or empty
    std::string checkpoint{};                            ///< the folder for checkpoints, or empty for none
    std::optional<std::int64_t> checkpointEvery{};       ///< steps between two checkpoints; at the end of each epoch
                                                         ///< and run they are made anyway
    std::optional<std::uint64_t> memoryLimitBytes{};     ///< tensors of a run may not take more

    bool operator==(const ExperimentConfig&) const = default;
};

/// One setting that cannot work, with the sentence to show at its field.
struct FieldProblem {
    std::string field{}; ///< JSON name of the setting: "batch_size"
    std::string sentence{};
};

/// What can be said without looking at the data or the device: ranges and known names. Empty if all is well.
std::vector<FieldProblem> problemsOf(const ExperimentConfig& config);

/// The scaler's options, or nothing if gradients are not scaled under this policy.
std::optional<precision::LossScalerOptions> lossScalerOptions(const ExperimentConfig& config);

/// What a person should know of the policy before the run (precision::warningsOf with the config's optimizer).
std::vector<std::string> warningsOf(const ExperimentConfig& config);

} // namespace halfstep::values
