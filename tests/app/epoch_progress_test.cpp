#include "app/cli/epoch_progress.h"
#include <gmock/gmock.h>

namespace halfstep::app {
namespace {
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

values::StepRecord stepNumber(std::int64_t step, double milliseconds, std::int64_t perEpoch = 7) {
    return {.step = step,
            .epoch = static_cast<int>((step - 1) / perEpoch) + 1,
            .batchSize = step % perEpoch == 0 ? 8 : 32,
            .loss = 2,
            .accuracy = 0.5,
            .stepMilliseconds = milliseconds};
}

/// 7 steps an epoch (the last of 8 pictures), 3 epochs, 2 batches of validation.
values::RunPlan plan() {
    values::RunPlan plan;
    plan.stepsPerEpoch = 7;
    plan.totalSteps = 21;
    plan.epochs = 3;
    plan.validationBatches = 2;
    return plan;
}

TEST(EpochProgress, DrawsKerasBar) {
    EpochProgress progress(plan());
    EXPECT_TRUE(progress.take(stepNumber(1, 100), 0));
    EXPECT_FALSE(progress.take(stepNumber(2, 100), 0.1));
    progress.take(stepNumber(3, 100), 0.2);
    EXPECT_EQ(progress.title(), "Epoch 1/3");
    EXPECT_THAT(progress.bar(100), StartsWith("3/7 [============>.................] - ETA: 1s - loss: 2.0000 - "
                                              "accuracy: 0.5000"));
    EXPECT_EQ(progress.cutOff(), "3/7 [============>.................] - loss: 2.0000 - accuracy: 0.5000");
}

TEST(EpochProgress, MakesTheBarNarrowerBeforeFiguresAreLost) {
    EpochProgress progress(plan());
    progress.take(stepNumber(1, 100), 0);
    const std::string narrow = progress.bar(60);
    EXPECT_EQ(narrow.size(), 60u);
    EXPECT_THAT(narrow, testing::EndsWith(" - ETA: 1s - loss: 2.0000 - accuracy: 0.5000"));
    EXPECT_THAT(progress.bar(10), StartsWith("1/7 [>] - ETA")) << "never without a bar";
}

TEST(EpochProgress, RightAlignsTheNumberOfTheStep) {
    values::RunPlan long_ = plan();
    long_.stepsPerEpoch = 296;
    long_.totalSteps = 296;
    long_.epochs = 1;
    EpochProgress progress(long_);
    progress.take(stepNumber(1, 100, 296), 0);
    EXPECT_THAT(progress.bar(100), StartsWith("  1/296 [>............................."));
}

TEST(EpochProgress, TheTimeLeftLeavesOutWarmUpAndHoldsValidation) {
    EpochProgress progress(plan());
    progress.take(stepNumber(1, 60'000), 60);
    EXPECT_EQ(progress.secondsLeft(), 400) << "6 steps of 60 s and 2 validation batches of a third of that";
    for (int step = 2; step <= 4; ++step) {
        progress.take(stepNumber(step, step < 4 ? 60'000 : 3000), 60.0 * step);
    }
    EXPECT_EQ(progress.secondsLeft(), 11) << "3 steps of 3 s and 2 validation batches of 1 s";
}

TEST(EpochProgress, TheTimeLeftIsNeverZeroBeforeTheEnd) {
    EpochProgress progress(plan());
    for (int step = 1; step <= 7; ++step) {
        progress.take(stepNumber(step, 0), 0);
        EXPECT_GE(progress.secondsLeft(), 1);
    }
    progress.take(values::ValidationProgress{.epoch = 1, .done = 2, .total = 2}, 0);
    EXPECT_EQ(progress.secondsLeft(), 1);
    EXPECT_THAT(progress.bar(100), HasSubstr("ETA: 1s"));
}

TEST(EpochProgress, ValidationIsMeasuredForTheNextEpoch) {
    EpochProgress progress(plan());
    for (int step = 1; step <= 7; ++step) {
        progress.take(stepNumber(step, 1000), step);
    }
    progress.take(values::ValidationProgress{.epoch = 1, .done = 1, .total = 2}, 17);
    EXPECT_EQ(progress.secondsLeft(), 10) << "the second batch, at the pace of the first";
    progress.take(values::ValidationProgress{.epoch = 1, .done = 2, .total = 2}, 27);
    progress.take(values::EpochRecord{.epoch = 1});
    progress.take(stepNumber(8, 1000), 28);
    EXPECT_EQ(progress.secondsLeft(), 26) << "6 steps of 1 s and 2 batches of 10 s";
}

TEST(EpochProgress, MillisecondsPerStepLeaveOutWarmUpAndSmallerBatches) {
    EpochProgress progress(plan());
    const double times[] = {9000, 9000, 9000, 100, 200, 300, 1};
    for (int step = 1; step <= 7; ++step) {
        progress.take(stepNumber(step, times[step - 1]), step);
    }
    const values::EpochRecord epoch{
        .epoch = 1, .loss = 2.0134, .accuracy = 0.28, .valLoss = 2.2801, .valAccuracy = 0.11, .seconds = 13.6};
    EXPECT_EQ(progress.result(epoch), "7/7 [==============================] - 14s 200ms/step - loss: 2.0134 - "
                                      "accuracy: 0.2800 - val_loss: 2.2801 - val_accuracy: 0.1100");
    EXPECT_THAT(progress.result({.epoch = 1}), Not(HasSubstr("val_loss")));
}

TEST(EpochProgress, AShortLastEpochIsPlannedWithItsOwnSteps) {
    values::RunPlan steps = plan();
    steps.totalSteps = 9;
    steps.epochs = 2;
    EpochProgress progress(steps);
    for (int step = 1; step <= 8; ++step) {
        progress.take(stepNumber(step, 1000), step);
    }
    EXPECT_THAT(progress.bar(100), StartsWith("1/2 ["));
    EXPECT_EQ(progress.secondsLeft(), 1) << "one step, and no validation of an epoch that is not completed";
}

} // namespace
} // namespace halfstep::app
