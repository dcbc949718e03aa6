#include "engine/train/experiment.h"
#include "engine/backend/backend.h"
#include "engine/data/user_folders.h"
#include "engine/tensor/error.h"
#include "engine/train/checkpoint_folder.h"
#include "engine/train/conduct_run.h"
#include "engine/train/training_state.h"
#include "engine/train/weights_file.h"
#include <cstdlib>
#include <fmt/format.h>

namespace halfstep::train {
namespace {

/// A run never writes over the checkpoints of another.
void requireUnused(const CheckpointFolder& folder) {
    if (const auto last = folder.last()) {
        throw ConfigError(
            "checkpoint",
            fmt::format("The folder \"{}\" holds checkpoints of another run already ({}); choose another "
                        "folder, or go on with that run by --resume.",
                        folder.path().string(), last->filename().string()));
    }
}

/// Said before the run is entered: asks a network for tiny pictures, which is made at once.
void requireFitting(const std::vector<NamedArray>& weights, const values::ExperimentConfig& config,
                    const data::Dataset& dataset) {
    TrainingState::forTrying(config, static_cast<std::int64_t>(dataset.info().classes.size()))
        .load(weights, useOfWeights(config.weights));
}

} // namespace

Places userPlaces(const Places& chosen) {
    const auto orSetting = [](const std::filesystem::path& path, const char* name) -> std::filesystem::path {
        const char* value = std::getenv(name);
        return path.empty() && value != nullptr ? value : path;
    };
    Places places{orSetting(chosen.cacheFolder, "HALFSTEP_CACHE"), orSetting(chosen.historyFile, "HALFSTEP_HISTORY"),
                  chosen.weightsFile};
    if (places.cacheFolder.empty()) {
        places.cacheFolder = data::userCacheFolder();
    }
    if (places.historyFile.empty()) {
        places.historyFile = data::userDataFolder() / "runs.sqlite";
    }
    return places;
}

RunOutcome runExperiment(const values::ExperimentConfig& config, const Places& places,
                         const values::EventSink& report, const RunControl& control) {
    throwFirstProblem(config);
    // What can refuse comes before what takes long: files, device and history before the pictures.
    RunStart start;
    if (!config.weights.empty()) {
        start.weights = readWeights(config.weights);
    }
    const CheckpointFolder folder(config.checkpoint);
    if (!config.checkpoint.empty()) {
        requireUnused(folder);
    }
    const std::shared_ptr<backend::Backend> device = makeDevice(config, places);
    requireMemory(config, *device);
    store::RunStore store(places.historyFile);
    const std::shared_ptr<const data::Dataset> dataset = openPictures(config, places, report, control);
    requireMemory(config, *device, *dataset);
    if (!config.weights.empty()) {
        requireFitting(start.weights, config, *dataset);
    }
    if (!config.checkpoint.empty()) {
        folder.prepare();
    }
    RunOutcome outcome = outcomeToBe(config, *device, *dataset);
    start.run = store.begin(outcome.config, outcome.environment, dataset->info().displayName);
    return conduct({.device = device,
                    .dataset = dataset,
                    .store = std::move(store),
                    .start = std::move(start),
                    .outcome = std::move(outcome)},
                   places, report, control);
}

} // namespace halfstep::train
