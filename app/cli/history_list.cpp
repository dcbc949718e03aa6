#include "app/cli/exit_code.h"
#include "app/cli/history_actions.h"
#include "app/cli/text.h"
#include "engine/report/plain_text.h"
#include "engine/store/run_export.h"
#include "engine/store/sweep_export.h"
#include "engine/values/json.h"
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

namespace halfstep::app {
namespace {
using Json = nlohmann::ordered_json;

constexpr std::size_t kDataColumns = 20;

std::optional<double> lastValidationAccuracy(const store::StoredRun& run) {
    return run.lastEpoch ? run.lastEpoch->valAccuracy : std::nullopt;
}

void printRuns(const std::vector<store::StoredRun>& runs) {
    constexpr const char* kRow = "{:>5}  {:<11}  {:<20}  {:<14}  {:>5}  {:>6}  {:>9}  {:>7}  {:<20}  {}\n";
    std::cout << fmt::format(kRow, "run", "status", "started (UTC)", "policy", "batch", "steps", "ms/step", "val_acc",
                             "data", "name");
    for (const store::StoredRun& run : runs) {
        const std::string median = run.medianStepMilliseconds ? millisecondsText(*run.medianStepMilliseconds) : "-";
        std::cout << fmt::format(
            kRow, run.id, values::nameOf(run.status), run.startedAt, precision::traitsOf(run.config.policy).name,
            run.config.batchSize, run.stepsDone, median, fixedText(lastValidationAccuracy(run)),
            shortened(report::plainLine(run.dataName), kDataColumns), report::plainLine(run.config.name));
    }
}

void printSweeps(const std::vector<values::Sweep>& sweeps) {
    constexpr const char* kRow = "{:>5}  {:<11}  {:<20}  {:>5}  {:>9}  {:<20}  {}\n";
    std::cout << fmt::format(kRow, "sweep", "status", "started (UTC)", "cells", "rounds", "data", "name");
    for (const values::Sweep& sweep : sweeps) {
        std::cout << fmt::format(
            kRow, fmt::format("s{}", sweep.id), values::nameOf(sweep.status), sweep.startedAt, sweep.cells.size(),
            fmt::format("{} of {}", values::roundsDone(sweep), sweep.config.repeats),
            shortened(report::plainLine(sweep.dataName), kDataColumns), report::plainLine(sweep.config.base.name));
    }
}

int printJson(const History& history, const std::vector<store::StoredRun>& runs,
              const std::vector<values::Sweep>& sweeps) {
    Json runList = Json::array(), sweepList = Json::array();
    for (const store::StoredRun& run : runs) {
        runList.push_back(store::runJson(run, history.runs.epochs(run.id), nullptr));
    }
    for (const values::Sweep& sweep : sweeps) {
        sweepList.push_back(store::sweepSummaryJson(sweep));
    }
    std::cout << values::jsonText({{"runs", std::move(runList)}, {"sweeps", std::move(sweepList)}}) << '\n';
    return kDone;
}

} // namespace

int listHistory(History& history, const RunsArguments& arguments) {
    const std::vector<store::StoredRun> runs = history.runs.runs();
    const std::vector<values::Sweep> sweeps = history.sweeps.sweeps();
    if (arguments.asJson) {
        return printJson(history, runs, sweeps);
    }
    if (runs.empty() && sweeps.empty()) {
        std::cout << "No run yet. `halfstep train` makes one.\n";
        return kDone;
    }
    if (!runs.empty()) {
        printRuns(runs);
    }
    if (!sweeps.empty()) {
        std::cout << (runs.empty() ? "" : "\n");
        printSweeps(sweeps);
    }
    return kDone;
}

} // namespace halfstep::app
