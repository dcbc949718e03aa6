#include "tests/engine/report/made_sweep.h"

namespace halfstep::report {
using precision::Policy;
using values::CellStatus;

values::SweepCell timedCell(Policy policy, int batchSize, double milliseconds, const std::string& isa) {
    values::SweepCell cell{.key = {.policy = policy, .batchSize = batchSize}, .status = CellStatus::Ok, .isa = isa};
    cell.predicted = values::PredictedMemory{.peak = 3U << 20U};
    for (int round = 1; round <= 3; ++round) {
        cell.rounds.push_back({.round = round,
                               .position = 1,
                               .startedAt = "2026-12-03T05:00:00Z",
                               .warmupMilliseconds = {500},
                               .stepMilliseconds = {milliseconds, milliseconds, milliseconds * 1.01, milliseconds},
                               .waitMilliseconds = {0.25, 0.25, 0.25, 0.25},
                               .loss = 2.25,
                               .peakBytes = 3U << 20U,
                               .loadAverage = 0.5 * round,
                               .clockMegahertz = 3000.5,
                               .otherShare = 0.01});
    }
    return cell;
}

values::Sweep madeSweep(const std::string& name) {
    values::Sweep sweep{.id = 3, .status = values::RunStatus::Finished};
    sweep.config.base.name = name;
    sweep.config.policies = {Policy::Float32, Policy::MixedFloat16};
    sweep.config.batchSizes = {8, 32};
    sweep.environment = {.cpu = "A Processor", .cores = 2, .threads = 2, .halfstepVersion = "0.1.0"};
    sweep.governor = "performance";
    sweep.dataName = "drawn sample";
    sweep.startedAt = "2026-12-03T05:00:00Z";
    sweep.endedAt = "2026-12-03T05:01:00Z";
    values::SweepCell oom{.key = {.policy = Policy::MixedFloat16, .batchSize = 32},
                          .status = CellStatus::Oom,
                          .message = "Out of memory: a batch of 25 fits.",
                          .isa = "avx2",
                          .largestBatch = 25};
    sweep.cells = {timedCell(Policy::Float32, 8, 40), timedCell(Policy::MixedFloat16, 8, 20),
                   timedCell(Policy::Float32, 32, 160), oom};
    return sweep;
}

RunRecord madeRun(const std::string& name) {
    RunRecord record;
    store::StoredRun& run = record.run;
    run.id = 7;
    run.status = values::RunStatus::Finished;
    run.config = {.name = name, .policy = Policy::MixedFloat16, .batchSize = 16, .device = "cpu", .epochs = 2};
    run.environment = {.cpu = "A Processor", .cores = 2, .threads = 2, .isa = "avx2", .device = "cpu"};
    run.dataName = "drawn sample";
    run.startedAt = "2026-12-03T05:00:00Z";
    run.endedAt = "2026-12-03T05:01:00Z";
    run.stepsDone = 6;
    run.skippedSteps = 1;
    run.epochsDone = 2;
    run.medianStepMilliseconds = 12.5;
    run.peakBytes = 5 << 20;
    for (int epoch = 1; epoch <= 2; ++epoch) {
        record.epochs.push_back({.epoch = epoch,
                                 .loss = 2.0 / epoch,
                                 .accuracy = 0.4 * epoch,
                                 .valLoss = 2.25 / epoch,
                                 .valAccuracy = 0.35 * epoch,
                                 .seconds = 1.5});
        for (int step = 1; step <= 3; ++step) {
            record.steps.push_back({.step = 3 * (epoch - 1) + step,
                                    .epoch = epoch,
                                    .batchSize = 16,
                                    .loss = 2.5 / epoch,
                                    .accuracy = 0.25,
                                    .stepMilliseconds = 12.5,
                                    .dataWaitMilliseconds = 0.5,
                                    .lossScale = 32768});
        }
    }
    run.lastEpoch = record.epochs.back();
    return record;
}

} // namespace halfstep::report
