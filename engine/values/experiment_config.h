#pragma once
#include "engine/precision/policy.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::values {

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
    double learningRate = 0.001;
    std::optional<std::uint64_t> memoryLimitBytes{}; ///< tensors of a run may not take more

    bool operator==(const ExperimentConfig&) const = default;
};

/// One setting that cannot work, with the sentence to show at its field.
struct FieldProblem {
    std::string field{}; ///< JSON name of the setting: "batch_size"
    std::string sentence{};
};

/// What can be said without looking at the data or the device: ranges and known names. Empty if all is well.
std::vector<FieldProblem> problemsOf(const ExperimentConfig& config);

} // namespace halfstep::values
