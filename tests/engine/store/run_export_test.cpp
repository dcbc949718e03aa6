#include "engine/store/run_export.h"
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace halfstep::store {
namespace {
using values::StepRecord;

const StepRecord kStep{.step = 3,
                       .epoch = 1,
                       .batchSize = 32,
                       .loss = 2.25,
                       .accuracy = 0.125,
                       .stepMilliseconds = 251.5,
                       .dataWaitMilliseconds = 0.1,
                       .lossScale = 32768,
                       .skipped = true,
                       .firstNonFinite = "loss logits gradient (backward)"};

TEST(StepsCsv, HasTheContractsColumns) {
    EXPECT_EQ(stepsCsvHeader(), "run,step,epoch,batch_size,loss,accuracy,step_ms,data_wait_ms,loss_scale,skipped,"
                                "first_non_finite,lost_updates");
    EXPECT_EQ(stepsCsvRow(12, kStep), "12,3,1,32,2.25,0.125,251.5,0.1,32768,1,loss logits gradient (backward),");
}

TEST(StepsCsv, ALossScaleThatIsNotThereIsEmptyAndNanHasItsName) {
    StepRecord step = kStep;
    step.loss = std::numeric_limits<double>::quiet_NaN();
    step.accuracy = -HUGE_VAL;
    step.lossScale.reset();
    step.skipped = false;
    step.firstNonFinite.clear();
    step.lostUpdates = 0.75;
    EXPECT_EQ(stepsCsvRow(1, step), "1,3,1,32,nan,-inf,251.5,0.1,,0,,0.75");
}

TEST(StepsCsv, IsHeaderAndRows) {
    std::ostringstream out;
    writeStepsCsv(out, 12, {kStep, kStep});
    const std::string row = stepsCsvRow(12, kStep) + "\n";
    EXPECT_EQ(out.str(), std::string(stepsCsvHeader()) + "\n" + row + row);
}

TEST(RunJson, HasTheRunItsEpochsAndOnDemandItsSteps) {
    StoredRun run;
    run.id = 12;
    run.status = values::RunStatus::Stopped;
    run.dataName = "drawn sample";
    run.startedAt = "2026-12-01T12:00:00Z";
    run.stepsDone = 1;
    const std::vector<values::EpochRecord> epochs{{.epoch = 1, .loss = 2}};
    const std::vector<StepRecord> steps{kStep};
    const auto json = runJson(run, epochs, &steps);
    EXPECT_EQ(json["run"], 12);
    EXPECT_EQ(json["status"], "stopped");
    EXPECT_EQ(json["steps"], 1);
    EXPECT_EQ(json["final"]["loss"], 2.0);
    EXPECT_EQ(json["data_name"], "drawn sample");
    EXPECT_EQ(json["ended_at"], nullptr);
    EXPECT_EQ(json["steps_log"][0]["step_ms"], 251.5);
    EXPECT_EQ(json["steps_log"][0]["loss_scale"], 32768.0);
    EXPECT_EQ(json["steps_log"][0]["skipped"], true);
    EXPECT_FALSE(runJson(run, epochs, nullptr).contains("steps_log"));
}

} // namespace
} // namespace halfstep::store
