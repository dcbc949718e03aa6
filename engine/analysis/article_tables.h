#pragma once
#include "engine/precision/policy.h"
#include <optional>
#include <string>
#include <vector>

namespace halfstep::analysis {

/// A published time: what "First experiments with TensorFlow mixed-precision training" (RStudio AI blog, 13 January
/// 2020) reports of one policy and batch size, at epoch 20 of this network on Imagenette at 256x256.
struct ArticleCell {
    precision::Policy policy = precision::Policy::Float32;
    int batchSize = 32;
    std::optional<double> milliseconds{}; ///< of a step, as printed; empty where the card ran out of memory
    std::string build{};                  ///< of TensorFlow, where the article names two
    std::string doubt{};                  ///< why the figure is suspect, in a sentence; empty if it is not
};

/// One of the article's machines.
struct ArticleMachine {
    std::string name;  ///< "V100"
    std::string about; ///< "V100, 16 GB, compute capability 7.0"
    std::vector<ArticleCell> cells;

    /// What it reports of a policy and batch size: nothing, one cell, or one for each build.
    std::vector<ArticleCell> at(precision::Policy policy, int batchSize) const;
    /// Ascending, each once.
    std::vector<int> batchSizes() const;
    /// Time of float32 over that of mixed_float16: above 1, mixed is faster. Empty where one is missing or suspect.
    std::optional<double> speedUp(int batchSize) const;
};

/// V100, Titan XP, Quadro M2200, CPU.
const std::vector<ArticleMachine>& articleMachines();

} // namespace halfstep::analysis
