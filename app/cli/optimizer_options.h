#pragma once
#include "engine/values/experiment_config.h"

namespace CLI {
class App;
}

namespace halfstep::app {

/// Adds --optimizer, --learning-rate, --epsilon and those of the loss scale.
void addOptimizerOptions(CLI::App& command, values::ExperimentConfig& config);

/// Throws ConfigError if one was given that the chosen optimizer does not have.
void checkOptimizerOptions(const CLI::App& command, const values::ExperimentConfig& config);

} // namespace halfstep::app
