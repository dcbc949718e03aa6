#include "engine/train/resume_checks.h"
#include "engine/tensor/error.h"
#include "engine/train/training_state.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::train {
namespace {

std::vector<std::string> classNames(const data::Dataset& dataset) {
    std::vector<std::string> names;
    for (const data::ClassInfo& known : dataset.info().classes) {
        names.push_back(known.name);
    }
    return names;
}

void requireSameData(const Checkpoint& checkpoint, const data::Dataset& dataset) {
    const auto refuse = [&](const std::string& reason) {
        throw DataError(fmt::format("Run {} cannot go on with \"{}\": {}; put the set back as it was, or start a new "
                                    "run.",
                                    checkpoint.state.run, dataset.info().source, reason));
    };
    const std::vector<std::string> names = classNames(dataset);
    if (names.size() != checkpoint.state.classes.size()) {
        refuse(fmt::format("the set has {} classes, and the run began with {}", names.size(),
                           checkpoint.state.classes.size()));
    }
    if (names != checkpoint.state.classes) {
        refuse(fmt::format("the set has the classes {}, and the run began with {}", fmt::join(names, ", "),
                           fmt::join(checkpoint.state.classes, ", ")));
    }
    if (dataset.info().fingerprint != checkpoint.state.dataFingerprint) {
        refuse(fmt::format("its pictures (fingerprint {}) are not those that the run began with ({})",
                           dataset.info().fingerprint, checkpoint.state.dataFingerprint));
    }
}

void requirePosition(const Checkpoint& checkpoint, const values::ExperimentConfig& config,
                     const data::Dataset& dataset, const values::RunPlan& plan) {
    const RunPosition& position = checkpoint.state.position;
    const auto count = static_cast<std::int64_t>(dataset.photographs(data::Split::Train).size());
    const std::int64_t photographs =
        position.batches >= plan.stepsPerEpoch ? count : position.batches * config.batchSize;
    if (position.batches > plan.stepsPerEpoch || position.photographs != photographs ||
        position.step != (position.epoch - 1) * plan.stepsPerEpoch + position.batches) {
        throw DataError(fmt::format("The checkpoint \"{}\" cannot be used: step {} in epoch {} does not fit {} steps "
                                    "an epoch; put the run's own checkpoint back, or start a new run.",
                                    checkpoint.folder.string(), position.step, position.epoch, plan.stepsPerEpoch));
    }
}

} // namespace

void requireFitting(const Checkpoint& checkpoint, const values::ExperimentConfig& config,
                    const data::Dataset& dataset, const values::RunPlan& plan) {
    requireSameData(checkpoint, dataset);
    requirePosition(checkpoint, config, dataset, plan);
    TrainingState::forTrying(config, static_cast<std::int64_t>(dataset.info().classes.size())).restore(checkpoint);
}

void requireSomethingLeft(const CheckpointState& checkpoint, const values::ExperimentConfig& config,
                          const values::RunPlan& plan) {
    const RunPosition& position = checkpoint.position;
    if (BestEpoch(checkpoint.best).exhausts(config.earlyStoppingPatience) && position.batches == 0) {
        throw ConfigError(
            "early_stopping_patience",
            fmt::format("Run {} was ended by early stopping, {} epochs after its best; there is nothing "
                        "left to do. Start a new run for more.",
                        checkpoint.run, checkpoint.best.epochsWithoutBetter));
    }
    if (isAtEnd(position, plan)) {
        throw ConfigError(
            "epochs", fmt::format("Run {} has done step {}, and its end is step {}: nothing is left to do. Give more "
                                  "--epochs or --steps to go on.",
                                  checkpoint.run, position.step, plan.totalSteps));
    }
}

} // namespace halfstep::train
