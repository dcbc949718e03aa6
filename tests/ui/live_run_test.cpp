#include "ui/pages/live_run.h"
#include "ui/pages/run_estimate.h"
#include <QSettings>
#include <QTemporaryDir>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

LiveRun runOf(int steps, double milliseconds) {
    LiveRun run({.batchSize = 32, .epochs = 2});
    run.apply(values::RunPlan{
        .run = 3, .stepsPerEpoch = 50, .totalSteps = 100, .epochs = 2, .validationBatches = 4, .deviceText = {}});
    for (int step = 1; step <= steps; ++step) {
        run.apply(values::StepRecord{.step = step,
                                     .epoch = (step - 1) / 50 + 1,
                                     .batchSize = 32,
                                     .loss = 1,
                                     .stepMilliseconds = step <= 3 ? 900 : milliseconds});
    }
    return run;
}

TEST(LiveRun, WarmUpStepsDoNotCountAsStepTime) {
    const LiveRun run = runOf(20, 100);
    ASSERT_TRUE(run.stepTime().has_value());
    EXPECT_EQ(run.stepTime()->median, 100);
    EXPECT_EQ(run.stepTime()->spread, 0);
    EXPECT_DOUBLE_EQ(*run.imagesPerSecond(), 320);
}

TEST(LiveRun, NoTimeIsSaidBeforeThereAreThreeSteps) {
    EXPECT_FALSE(runOf(5, 100).stepTime().has_value());
    EXPECT_FALSE(runOf(5, 100).secondsLeft().has_value());
    EXPECT_TRUE(runOf(6, 100).stepTime().has_value());
}

TEST(LiveRun, TheTimeLeftIsStepsAndValidation) {
    LiveRun run = runOf(50, 100);
    EXPECT_NEAR(*run.secondsLeft(), 5.0 + 8 * 0.1 / 3, 1e-9) << "a validation batch takes a third of a step";
    // 3 steps of 0.9 s and 47 of 0.1 s make 7.4 s: the epoch's other 2 s were validation.
    run.apply(values::EpochRecord{.epoch = 1, .seconds = 9.4});
    EXPECT_NEAR(*run.secondsLeft(), 5.0 + 2.0, 1e-9);
    EXPECT_DOUBLE_EQ(run.shareDone(), 0.5) << "50 of 100 steps and 4 of 8 batches";
}

/// Case C05: 103 pictures in batches of 10 and 21 to validate on, three epochs.
TEST(LiveRun, TheShareEndsAtExactlyOneAndTheTimeLeftIsNeverNothingBefore) {
    LiveRun run({.batchSize = 10, .epochs = 3});
    run.apply(values::RunPlan{
        .run = 1, .stepsPerEpoch = 11, .totalSteps = 33, .epochs = 3, .validationBatches = 3, .deviceText = {}});
    double before = 0;
    const auto goesOn = [&] {
        EXPECT_GT(run.shareDone(), before);
        EXPECT_LT(run.shareDone(), 1.0);
        EXPECT_GT(run.secondsLeft().value_or(1), 0);
        before = run.shareDone();
    };
    for (int step = 1; step <= 33; ++step) {
        run.apply(values::StepRecord{.step = step,
                                     .epoch = (step - 1) / 11 + 1,
                                     .batchSize = step % 11 == 0 ? 3 : 10,
                                     .stepMilliseconds = 100,
                                     .skipped = step == 5});
        goesOn();
        if (step == 7) {
            EXPECT_DOUBLE_EQ(run.shareDone(), 7.0 / 42);
        }
        for (int batch = 1; step % 11 == 0 && batch <= 3; ++batch) {
            run.apply(values::ValidationProgress{.epoch = step / 11, .done = batch, .total = 3});
            if (step < 33 || batch < 3) {
                goesOn();
            }
        }
        if (step % 11 == 0) {
            run.apply(values::EpochRecord{.epoch = step / 11, .seconds = 1.2});
        }
    }
    EXPECT_EQ(run.shareDone(), 1.0);
    EXPECT_NEAR(*run.secondsLeft(), 0, 1e-9);
}

TEST(LiveRun, AnEpochThatTheStepsCutOffIsNotValidated) {
    LiveRun run({.batchSize = 10, .epochs = 3});
    run.apply(values::RunPlan{
        .run = 1, .stepsPerEpoch = 11, .totalSteps = 7, .epochs = 1, .validationBatches = 3, .deviceText = {}});
    for (int step = 1; step <= 7; ++step) {
        run.apply(values::StepRecord{.step = step, .epoch = 1, .batchSize = 10, .stepMilliseconds = 100});
    }
    EXPECT_EQ(run.shareDone(), 1.0);
}

TEST(LiveRun, ALossThatIsNotFiniteLeavesTheAverageAlone) {
    LiveRun run = runOf(10, 100);
    run.apply(values::StepRecord{.step = 11, .epoch = 1, .batchSize = 32, .loss = std::nan(""), .skipped = true});
    EXPECT_TRUE(std::isnan(run.smoothedLoss().back()));
    run.apply(values::StepRecord{.step = 12, .epoch = 1, .batchSize = 32, .loss = 1});
    EXPECT_DOUBLE_EQ(run.smoothedLoss().back(), 1);
    EXPECT_EQ(run.skippedSteps(), 1);
}

TEST(LiveRun, TheShareOfLostUpdatesIsSmoothedAndWaitsForTheFirst) {
    LiveRun run = runOf(3, 100);
    EXPECT_FALSE(run.lostUpdates().has_value());
    for (int step = 4; step <= 60; ++step) {
        run.apply(values::StepRecord{.step = step, .lostUpdates = step == 30 ? std::nullopt : std::optional(0.5)});
    }
    ASSERT_TRUE(run.lostUpdates().has_value());
    EXPECT_NEAR(*run.lostUpdates(), 0.5, 1e-9);
    run.apply(values::StepRecord{.step = 61, .lostUpdates = 1.0});
    EXPECT_GT(*run.lostUpdates(), 0.5);
    EXPECT_LT(*run.lostUpdates(), 0.6);
}

TEST(RunEstimate, WhatWasMeasuredIsRememberedForItsConfigurationOnly) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    StepTimes times(&settings);
    const values::ExperimentConfig config{.batchSize = 32, .imageSize = 64};
    EXPECT_FALSE(times.estimate(config, 2).measured);
    times.remember(config, 120, 48'000'000);
    EXPECT_TRUE(times.estimate(config, 2).measured);
    EXPECT_EQ(times.estimate(config, 2).milliseconds, 120);
    EXPECT_EQ(times.estimate(config, 2).memoryBytes, 48'000'000U);
    values::ExperimentConfig larger = config;
    larger.batchSize = 64;
    EXPECT_FALSE(times.estimate(larger, 2).measured);
    EXPECT_DOUBLE_EQ(times.estimate(larger, 2).milliseconds, 240) << "scaled by pixels";
}

TEST(RunEstimate, TheSentenceNamesStepsAndTimeAndWhereItIsFrom) {
    const values::ExperimentConfig config{.batchSize = 32, .epochs = 20};
    const QString guess = planSentence(config, 9469, {.milliseconds = 251});
    EXPECT_TRUE(guess.startsWith("296 steps × 20 epochs: about 25 min")) << guess.toStdString();
    EXPECT_TRUE(guess.endsWith("by a first guess."));
    const QString measured = planSentence(config, 9469, {251, true, 480'000'000});
    EXPECT_TRUE(measured.contains("480 MB"));
    EXPECT_TRUE(measured.endsWith("as measured before."));
    EXPECT_FALSE(planSentence(config, std::nullopt, {}).contains("steps ×"));
}

} // namespace
