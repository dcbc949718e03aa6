#pragma once
#include "engine/values/run_event.h"
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace halfstep::values {

/// `Running` and `Interrupted` exist only in the history: a run whose process lives, and one whose process died.
enum class RunStatus { Running, Finished, Stopped, Diverged, Failed, Interrupted };

/// "running", "finished", "stopped", "diverged", "failed", "interrupted".
std::string_view nameOf(RunStatus status);
std::optional<RunStatus> runStatusNamed(std::string_view name);

/// How a run ended.
struct RunSummary {
    std::int64_t run = 0;
    RunStatus status = RunStatus::Finished;
    std::int64_t steps = 0; ///< done, skipped ones included
    int epochs = 0;         ///< completed
    std::int64_t skippedSteps = 0;
    std::optional<double> medianStepMilliseconds{}; ///< full batches after warm-up; empty if there was none
    std::int64_t peakBytes = 0;                     ///< most that tensors, caches and scratch of the run took at once
    std::vector<EpochRecord> epochsLog{};
    std::optional<double> loss{}; ///< mean over the steps of the last epoch that was begun, weighted by batch size;
    std::optional<double> accuracy{};    ///< empty (then the last of epochsLog counts) if that epoch was completed
    std::optional<double> lostUpdates{}; ///< mean over the steps, as in StepRecord
    std::string message{};               ///< why it diverged or failed; empty otherwise
};

} // namespace halfstep::values
