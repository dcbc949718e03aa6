#pragma once
#include "engine/report/drawing.h"
#include "engine/train/experiment.h"
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace halfstep::app {

/// What the parsed command line asks for. The options of all commands are read first, then `action` runs.
struct Invocation {
    std::string cacheFolder;     ///< --cache-dir, may be empty
    std::string historyFile;     ///< --history, may be empty
    report::ChartDrawers charts; ///< of the window; empty in a build without it
    std::function<int()> action; ///< returns the exit code; throws what the engine throws

    train::Places places() const { return train::userPlaces({cacheFolder, historyFile}); }
};

// One for each subcommand: adds it with its options to `app` and sets the invocation's action if it is the one
// chosen.
void addDevicesCommand(CLI::App& app, Invocation& invocation);
void addDataCommand(CLI::App& app, Invocation& invocation);
void addTrainCommand(CLI::App& app, Invocation& invocation);
void addSweepCommand(CLI::App& app, Invocation& invocation);
void addStepCommand(CLI::App& app, Invocation& invocation);
void addProfileCommand(CLI::App& app, Invocation& invocation);
void addRunsCommand(CLI::App& app, Invocation& invocation);
void addReportCommand(CLI::App& app, Invocation& invocation);

} // namespace halfstep::app
