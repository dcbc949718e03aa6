#pragma once
#include "ui/bridge/training_session.h"
#include <chrono>
#include <cmath>
#include <thread>

namespace halfstep::tests {

/// What a fake run does; its events are like a real one's, and come as fast as the machine can.
struct FakeRunPlan {
    int stepsPerEpoch = 10;
    std::chrono::milliseconds step{0};
    bool endless = false;        ///< goes on until it is stopped
    double loss = 2;             ///< of every step
    std::exception_ptr thrown{}; ///< instead of a run
};

/// A run without an engine: steps, epochs, an ending, a pause and a stop that are looked at once a step.
inline ui::TrainingSession::RunFunction fakeRun(FakeRunPlan plan) {
    return [plan](const values::ExperimentConfig& config, const train::Places&, const values::EventSink& report,
                  const train::RunControl& control) {
        if (plan.thrown) {
            std::rethrow_exception(plan.thrown);
        }
        const auto wanted = static_cast<std::int64_t>(plan.stepsPerEpoch) * config.epochs;
        train::RunOutcome outcome{.summary = {.run = 12}, .environment = {}, .config = config};
        report(values::RunPlan{.run = 12,
                               .stepsPerEpoch = plan.stepsPerEpoch,
                               .totalSteps = wanted,
                               .epochs = config.epochs,
                               .validationBatches = 0,
                               .deviceText = "CPU AVX2, 2 threads"});
        const bool scaled = precision::traitsOf(config.policy).dynamicLossScaling;
        for (std::int64_t step = 1; plan.endless || step <= wanted; ++step) {
            control.pause->waitWhilePaused(control.stop);
            if (control.stop.stop_requested()) {
                outcome.summary.status = values::RunStatus::Stopped;
                break;
            }
            std::this_thread::sleep_for(plan.step);
            const int epoch = static_cast<int>((step - 1) / plan.stepsPerEpoch) + 1;
            report(values::StepRecord{.step = step,
                                      .epoch = epoch,
                                      .batchSize = config.batchSize,
                                      .loss = plan.loss,
                                      .accuracy = 0.5,
                                      .stepMilliseconds = 100,
                                      .dataWaitMilliseconds = 0,
                                      .lossScale = scaled ? std::optional(32768.0) : std::nullopt,
                                      .skipped = false});
            outcome.summary.steps = step;
            if (step % plan.stepsPerEpoch == 0) {
                report(values::EpochRecord{.epoch = epoch,
                                           .loss = plan.loss,
                                           .accuracy = 0.5,
                                           .valLoss = 2.5,
                                           .valAccuracy = 0.25,
                                           .seconds = 1,
                                           .guesses = {}});
                ++outcome.summary.epochs;
            }
        }
        outcome.summary.medianStepMilliseconds = 100;
        return outcome;
    };
}

} // namespace halfstep::tests
