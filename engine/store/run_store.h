#pragma once
#include "engine/values/environment.h"
#include "engine/values/experiment_config.h"
#include "engine/values/run_event.h"
#include "engine/values/run_summary.h"
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::store {

/// One run as the history holds it.
struct StoredRun {
    std::int64_t id = 0;
    values::RunStatus status = values::RunStatus::Running;
    values::ExperimentConfig config;
    values::Environment environment;
    std::string dataName;  ///< DatasetInfo::displayName: "drawn sample"
    std::string startedAt; ///< UTC, ISO 8601: "2026-12-01T12:00:00Z"
    std::string endedAt;   ///< likewise; empty while it runs and if it was interrupted
    std::int64_t stepsDone = 0;
    std::int64_t skippedSteps = 0;
    int epochsDone = 0;
    std::optional<double> medianStepMilliseconds;
    std::int64_t peakBytes = 0;
    std::optional<values::EpochRecord> lastEpoch;
    std::optional<double> loss; ///< of the last epoch that was begun, if it was not completed (as in RunSummary)
    std::optional<double> accuracy;
    std::string message;
};

/// The run history: an SQLite file in WAL mode. Every record is committed when it arrives, so a killed process loses
/// none that `record` returned for. One store per thread; several processes may use one file.
///
/// All members throw StoreError with the file's name if it cannot be read or written.
class RunStore {
public:
    /// Opens or makes the file. Runs whose process has died are marked interrupted.
    explicit RunStore(const std::filesystem::path& file);
    ~RunStore();
    RunStore(RunStore&&) noexcept;
    RunStore& operator=(RunStore&&) noexcept;

    /// Enters a run as running and owned by this process; returns its id (1, 2, ...; never used again).
    std::int64_t begin(const values::ExperimentConfig& config, const values::Environment& environment,
                       const std::string& dataName);
    /// Goes on with a run that has ended: it is running again and owned by this process; records after `step` and
    /// `epoch` are deleted; `config`, if given, takes the place of its settings (more epochs). Throws StoreError if
    /// there is no such run or it is still running.
    void reopen(std::int64_t run, std::int64_t step, int epoch,
                const std::optional<values::ExperimentConfig>& config = {});
    /// Steps, epochs and numerics are kept, other events are not.
    void record(std::int64_t run, const values::RunEvent& event);
    void finish(std::int64_t run, const values::RunSummary& summary);

    /// Newest first. Figures of a run without an end are counted from its records; one whose process has died since
    /// the file was opened is Interrupted here too.
    std::vector<StoredRun> runs() const;
    std::optional<StoredRun> run(std::int64_t id) const;
    /// In step order.
    std::vector<values::StepRecord> steps(std::int64_t run) const;
    std::vector<values::EpochRecord> epochs(std::int64_t run) const;
    /// The steps whose numbers were recorded, in order.
    std::vector<std::int64_t> numericsSteps(std::int64_t run) const;
    /// Nothing if that step was not recorded.
    std::optional<values::NumericsRecord> numerics(std::int64_t run, std::int64_t step) const;
    /// False if there is no such run. Throws StoreError if it is still running.
    bool remove(std::int64_t run);

private:
    struct Database;
    std::unique_ptr<Database> m_database;
};

} // namespace halfstep::store
