#pragma once
#include "engine/train/resume.h"
#include "engine/values/experiment_config.h"
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace halfstep::app {

/// What `halfstep train` was asked for.
struct TrainArguments {
    values::ExperimentConfig config;
    std::optional<train::ResumeRequest> resume{}; ///< then the configuration comes from the run's checkpoint
    std::string csv{};
    std::string weightsFile{}; ///< for the final weights
    bool largestBatch = false; ///< is asked for, in place of a run
    bool json = false;
};

/// Adds the options of `train`, which fill in `arguments`.
void addTrainOptions(CLI::App& command, TrainArguments& arguments);

/// Called once they are read. Throws ConfigError, with every problem at once, each after its flag; fills in
/// `arguments.resume`.
void checkTrainOptions(const CLI::App& command, TrainArguments& arguments);

} // namespace halfstep::app
