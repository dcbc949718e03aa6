#include "ui/models/recorded_run.h"
#include <algorithm>

namespace halfstep::ui {

namespace {

values::RunPlan planOf(const RunRecords& records) {
    const store::StoredRun& run = records.run;
    values::RunPlan plan{.run = run.id, .epochs = run.config.epochs};
    if (!records.epochs.empty()) {
        const int first = records.epochs.front().epoch;
        plan.stepsPerEpoch = std::ranges::count(records.steps, first, &values::StepRecord::epoch);
        plan.totalSteps = plan.stepsPerEpoch * run.config.epochs;
    }
    if (run.config.steps) {
        plan.totalSteps = plan.totalSteps > 0 ? std::min(plan.totalSteps, *run.config.steps) : *run.config.steps;
    }
    plan.totalSteps = std::max(plan.totalSteps, static_cast<std::int64_t>(records.steps.size()));
    const values::Environment& environment = run.environment;
    plan.deviceText = environment.device + ' ' + environment.isa + ", " + std::to_string(environment.threads) +
                      (environment.threads == 1 ? " thread" : " threads");
    return plan;
}

} // namespace

std::vector<values::RunEvent> eventsOf(const RunRecords& records) {
    std::vector<values::RunEvent> events{planOf(records)};
    events.reserve(1 + records.steps.size() + records.epochs.size());
    auto epoch = records.epochs.begin();
    for (const values::StepRecord& step : records.steps) {
        for (; epoch != records.epochs.end() && epoch->epoch < step.epoch; ++epoch) {
            events.emplace_back(*epoch);
        }
        events.emplace_back(step);
    }
    events.insert(events.end(), epoch, records.epochs.end());
    return events;
}

train::RunOutcome outcomeOf(const RunRecords& records) {
    const store::StoredRun& run = records.run;
    return {.summary = {.run = run.id,
                        .status = run.status,
                        .steps = run.stepsDone,
                        .epochs = run.epochsDone,
                        .skippedSteps = run.skippedSteps,
                        .medianStepMilliseconds = run.medianStepMilliseconds,
                        .peakBytes = run.peakBytes,
                        .epochsLog = records.epochs,
                        .loss = run.loss,
                        .accuracy = run.accuracy,
                        .message = run.message},
            .environment = run.environment,
            .config = run.config};
}

} // namespace halfstep::ui
