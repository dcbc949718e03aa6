#pragma once
#include "engine/store/run_store.h"
#include "engine/values/run_event.h"
#include "engine/values/run_summary.h"
#include <chrono>
#include <cstdint>
#include <deque>
#include <vector>

namespace halfstep::train {

/// Stands between a run and its watcher: puts every record into the history first, then passes it on.
///
/// A history that cannot be written (a full disk) does not end a run: the watcher is warned once, the records are
/// held in memory and written as soon as that works again, at the latest tried at the end.
class RunRecorder {
public:
    /// `run` has begun in `store`, or goes on there after the given records.
    RunRecorder(store::RunStore store, std::int64_t run, values::EventSink report,
                std::vector<values::StepRecord> steps = {}, std::vector<values::EpochRecord> epochs = {})
        : m_store(std::move(store)),
          m_run(run),
          m_report(std::move(report)),
          m_steps(std::move(steps)),
          m_epochs(std::move(epochs)) {}

    void take(const values::RunEvent& event);

    /// What the records say of the run up to here: the summary of one that is cut off.
    values::RunSummary summaryOfRecords(int batchSize) const;

    /// Completes the summary (id, skipped steps, figures of an epoch that was begun), keeps it and returns it.
    values::RunSummary finish(values::RunSummary summary);

private:
    void keep(const values::RunEvent& event);
    /// Writes what is held, as far as that works.
    void flush();
    void warnOnce(const char* reason);

    store::RunStore m_store;
    std::int64_t m_run;
    values::EventSink m_report;
    std::vector<values::StepRecord> m_steps;
    std::vector<values::EpochRecord> m_epochs;
    std::deque<values::RunEvent> m_held;
    std::chrono::steady_clock::time_point m_nextTry{};
    bool m_warned = false;
};

} // namespace halfstep::train
