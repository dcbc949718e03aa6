#include "engine/analysis/statistics.h"
#include <gmock/gmock.h>

namespace halfstep::analysis {
namespace {
using values::StepRecord;

std::vector<StepRecord> stepsTaking(const std::vector<double>& milliseconds, int batchSize = 32) {
    std::vector<StepRecord> steps;
    for (const double time : milliseconds) {
        steps.push_back({.step = static_cast<std::int64_t>(steps.size()) + 1,
                         .epoch = 1,
                         .batchSize = batchSize,
                         .stepMilliseconds = time});
    }
    return steps;
}

TEST(Statistics, MedianIsTheMiddleOrTheMeanOfTheMiddleTwo) {
    EXPECT_EQ(median(std::vector{5.0}), 5.0);
    EXPECT_EQ(median(std::vector{9.0, 1.0, 5.0}), 5.0);
    EXPECT_EQ(median(std::vector{9.0, 1.0, 5.0, 7.0}), 6.0);
    EXPECT_EQ(median({}), std::nullopt);
}

TEST(Statistics, QuartilesInterpolateLinearly) {
    // numpy.quantile([1, 2, 4, 8], [.25, .5, .75]) = [1.75, 3, 5]
    const auto found = quartiles(std::vector{8.0, 1.0, 4.0, 2.0});
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->q25, 1.75);
    EXPECT_DOUBLE_EQ(found->median, 3.0);
    EXPECT_DOUBLE_EQ(found->q75, 5.0);
    EXPECT_EQ(quantile(std::vector{3.0, 1.0}, 0.0), 1.0);
    EXPECT_EQ(quantile(std::vector{3.0, 1.0}, 1.0), 3.0);
    EXPECT_FALSE(quartiles({}));
}

TEST(Statistics, WarmUpIsThreeStepsButNeverMoreThanHalfOfTheRun) {
    EXPECT_EQ(warmUpSteps(0), 0);
    EXPECT_EQ(warmUpSteps(1), 0);
    EXPECT_EQ(warmUpSteps(2), 1);
    EXPECT_EQ(warmUpSteps(5), 2);
    EXPECT_EQ(warmUpSteps(6), 3);
    EXPECT_EQ(warmUpSteps(1000), 3);
}

TEST(Statistics, MedianStepTimeLeavesOutWarmUp) {
    EXPECT_EQ(medianStepMilliseconds(stepsTaking({900, 800, 700, 10, 20, 30, 40}), 32), 25.0);
    EXPECT_EQ(medianStepMilliseconds(stepsTaking({900}), 32), 900.0);
    EXPECT_EQ(medianStepMilliseconds(stepsTaking({900, 10}), 32), 10.0);
}

TEST(Statistics, MedianStepTimeLeavesOutSmallerLastBatches) {
    auto steps = stepsTaking({900, 800, 700, 10, 20, 30, 1});
    steps.back().batchSize = 8;
    EXPECT_EQ(medianStepMilliseconds(steps, 32), 20.0);
    EXPECT_EQ(medianStepMilliseconds(stepsTaking({9, 9, 9}, 8), 32), std::nullopt);
    EXPECT_EQ(medianStepMilliseconds({}, 32), std::nullopt);
}

TEST(Statistics, AnEpochThatWasBegunHasMeansWeightedByBatchSize) {
    auto steps = stepsTaking({1, 1, 1, 1});
    steps[0].loss = 100;
    steps[1].epoch = steps[2].epoch = steps[3].epoch = 2;
    steps[1].loss = 1;
    steps[2].loss = 2;
    steps[3].loss = 10;
    steps[3].accuracy = 1;
    steps[3].batchSize = 16;
    const auto means = meansOfEpochBegun(steps, 1);
    ASSERT_TRUE(means);
    EXPECT_DOUBLE_EQ(means->loss, (1 + 2 + 10 * 0.5) / 2.5);
    EXPECT_DOUBLE_EQ(means->accuracy, 0.2);
    EXPECT_FALSE(meansOfEpochBegun(steps, 2));
    EXPECT_FALSE(meansOfEpochBegun({}, 0));
}

TEST(Statistics, LostUpdatesAreTheMeanOverTheStepsThatUpdatedSomething) {
    auto steps = stepsTaking({1, 1, 1});
    EXPECT_FALSE(meanLostUpdates(steps));
    steps[0].lostUpdates = 0.25;
    steps[2].lostUpdates = 0.75;
    EXPECT_EQ(meanLostUpdates(steps), 0.5);
}

} // namespace
} // namespace halfstep::analysis
