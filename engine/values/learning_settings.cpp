#include "engine/values/learning_settings.h"

namespace halfstep::values {

ExperimentConfig learningSettings(ExperimentConfig config) {
    const ExperimentConfig standard;
    config.name.clear();
    config.data.clear();
    config.seed = standard.seed;
    config.threads = standard.threads;
    config.numericsEvery = standard.numericsEvery;
    config.checkpoint.clear();
    config.checkpointEvery.reset();
    config.memoryLimitBytes.reset();
    return config;
}

} // namespace halfstep::values
