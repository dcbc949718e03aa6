#include "engine/train/run_recorder.h"
#include "engine/analysis/statistics.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace halfstep::train {
namespace {
/// A locked file makes each attempt wait for 5 s: between attempts the run goes on undisturbed.
constexpr std::chrono::seconds kBetweenTries{30};
} // namespace

void RunRecorder::take(const values::RunEvent& event) {
    if (const auto* step = std::get_if<values::StepRecord>(&event)) {
        m_steps.push_back(*step);
        keep(event);
    } else if (const auto* epoch = std::get_if<values::EpochRecord>(&event)) {
        m_epochs.push_back(*epoch);
        keep(event);
    } else if (std::holds_alternative<values::NumericsRecord>(event)) {
        keep(event);
    }
    m_report(event);
}

void RunRecorder::keep(const values::RunEvent& event) {
    m_held.push_back(event);
    if (std::chrono::steady_clock::now() >= m_nextTry) {
        flush();
    }
}

void RunRecorder::flush() {
    try {
        while (!m_held.empty()) {
            m_store.record(m_run, m_held.front());
            m_held.pop_front();
        }
    } catch (const StoreError& error) {
        m_nextTry = std::chrono::steady_clock::now() + kBetweenTries;
        warnOnce(error.what());
    }
}

void RunRecorder::warnOnce(const char* reason) {
    if (!std::exchange(m_warned, true)) {
        m_report(values::Notice{values::Severity::Warning,
                                fmt::format("{} The run goes on; its records are held in memory until the history "
                                            "can be written.",
                                            reason)});
    }
}

values::RunSummary RunRecorder::summaryOfRecords(int batchSize) const {
    values::RunSummary summary;
    summary.steps = static_cast<std::int64_t>(m_steps.size());
    summary.epochs = static_cast<int>(m_epochs.size());
    summary.skippedSteps = std::ranges::count_if(m_steps, &values::StepRecord::skipped);
    summary.medianStepMilliseconds = analysis::medianStepMilliseconds(m_steps, batchSize);
    summary.epochsLog = m_epochs;
    return summary;
}

values::RunSummary RunRecorder::finish(values::RunSummary summary) {
    summary.run = m_run;
    summary.skippedSteps = std::ranges::count_if(m_steps, &values::StepRecord::skipped);
    if (const auto begun = analysis::meansOfEpochBegun(m_steps, summary.epochs)) {
        summary.loss = begun->loss;
        summary.accuracy = begun->accuracy;
    }
    summary.lostUpdates = analysis::meanLostUpdates(m_steps);
    flush(); // if some records stay unwritten, the summary is tried all the same: it is one small row
    try {
        m_store.finish(m_run, summary);
    } catch (const StoreError& error) {
        warnOnce(error.what());
    }
    if (!m_held.empty()) {
        m_report(values::Notice{values::Severity::Warning,
                                fmt::format("Run {1} ends with {0} records that could not be kept in the history.",
                                            m_held.size(), m_run)});
    }
    return summary;
}

} // namespace halfstep::train
