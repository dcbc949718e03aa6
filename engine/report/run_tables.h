#pragma once
#include "engine/report/table.h"
#include "engine/store/run_store.h"
#include <string>
#include <vector>

namespace halfstep::report {

/// A run with all that the history holds of its steps.
struct RunRecord {
    store::StoredRun run{};
    std::vector<values::EpochRecord> epochs{};
    std::vector<values::StepRecord> steps{};
};

/// A row a run: what tells them apart, how they ended, ms per step.
Table runsTable(const std::vector<RunRecord>& runs);

/// Every setting under its serialized name, as it ran.
Table settingsTable(const RunRecord& record);
/// How it ended: status, steps, losses, accuracies, time, memory.
Table figuresTable(const RunRecord& record);
/// A row an epoch.
Table epochsTable(const RunRecord& record);
/// Machine, programs, and what each pass of a convolution was done by.
Table environmentTable(const RunRecord& record);

/// What a reader should know of it: that it did not finish, skipped steps, lost updates, the policy's warnings.
std::vector<std::string> warningsOf(const RunRecord& record);

/// "Run 3" or "Run 3: " and its name.
std::string titleOf(const RunRecord& record);

/// All tables of one run in a file of their own.
std::string runMarkdown(const RunRecord& record);
std::string runLatex(const RunRecord& record);

} // namespace halfstep::report
