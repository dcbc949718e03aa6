#pragma once
#include "engine/values/sweep.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace halfstep::app {

/// Which cells of a sweep are measured again, from their first round on.
struct CellsAgain {
    bool disturbed = false; ///< those that the figures call so
    struct Cell {
        precision::Policy policy{};
        int batchSize = 0;
    };
    std::vector<Cell> cells{}; ///< on every device and instruction set of the sweep
};

/// What `halfstep sweep` was asked for.
struct SweepArguments {
    values::SweepConfig config{};
    std::optional<std::int64_t> resume{}; ///< then the configuration is the sweep's own
    int moreRounds = 0;
    std::optional<CellsAgain> again{};
    bool synthetic = false;
    std::string csv{}, markdown{}, latex{};
    bool json = false;
};

/// Adds the options of `sweep`, which fill in `arguments`.
void addSweepOptions(CLI::App& command, SweepArguments& arguments);

/// Called once they are read. Throws ConfigError, with every problem at once, each after its flag; fills in what the
/// others decide.
void checkSweepOptions(const CLI::App& command, SweepArguments& arguments);

/// The cells that are to be measured again, by their place in the sweep. Throws ConfigError if one that was named is
/// not there.
std::vector<std::size_t> cellsAgain(const CellsAgain& again, const values::Sweep& sweep);

} // namespace halfstep::app
