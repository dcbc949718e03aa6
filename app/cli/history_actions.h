#pragma once
#include "app/cli/history_id.h"
#include "engine/store/run_store.h"
#include "engine/store/sweep_store.h"
#include <filesystem>
#include <string>
#include <vector>

namespace halfstep::app {

/// What `halfstep runs` was asked for.
struct RunsArguments {
    HistoryId id{};
    std::string csv{}, json{}, markdown{}, latex{}; ///< files; empty for none, likewise the others
    std::string weights{};
    std::string numericsCsv{}, numericsJson{};
    bool asJson = false;
};

/// The history opened, runs and sweeps.
struct History {
    explicit History(const std::filesystem::path& file) : runs(file), sweeps(file) {}
    store::RunStore runs;
    store::SweepStore sweeps;
};

/// Throw StoreError that says where to look if there is none of that number.
store::StoredRun wantedRun(const History& history, std::int64_t id);
values::Sweep wantedSweep(const History& history, std::int64_t id);

// For a run and for a sweep: each returns the exit code and throws what the engine throws.
int listHistory(History& history, const RunsArguments& arguments);
int showRun(History& history, const RunsArguments& arguments);
int showSweep(History& history, const RunsArguments& arguments);
int exportRun(History& history, const RunsArguments& arguments);
int exportSweep(History& history, const RunsArguments& arguments);
int deleteRun(History& history, const RunsArguments& arguments);
int deleteSweep(History& history, const RunsArguments& arguments);

} // namespace halfstep::app
