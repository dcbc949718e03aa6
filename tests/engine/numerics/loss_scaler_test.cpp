#include "engine/precision/loss_scaler.h"
#include <gtest/gtest.h>

namespace halfstep::precision {
namespace {

void finiteSteps(LossScaler& scaler, int count) {
    for (int i = 0; i < count; ++i) {
        scaler.update(true);
    }
}

TEST(LossScaler, StartsAtTwoToTheFifteenth) {
    const LossScaler scaler;
    EXPECT_EQ(scaler.scale(), 32768);
    EXPECT_EQ(scaler.finiteStreak(), 0);
    EXPECT_EQ(scaler.skippedSteps(), 0);
}

TEST(LossScaler, OverflowHalvesTheScaleAndRestartsTheStreak) {
    LossScaler scaler;
    finiteSteps(scaler, 1999);
    scaler.update(false);
    EXPECT_EQ(scaler.scale(), 16384);
    EXPECT_EQ(scaler.finiteStreak(), 0);
    EXPECT_EQ(scaler.skippedSteps(), 1);
    finiteSteps(scaler, 1999);
    EXPECT_EQ(scaler.scale(), 16384);
    scaler.update(true);
    EXPECT_EQ(scaler.scale(), 32768);
}

TEST(LossScaler, DoublesOnTheTwoThousandthFiniteStepInARow) {
    LossScaler scaler;
    finiteSteps(scaler, 1999);
    EXPECT_EQ(scaler.scale(), 32768);
    EXPECT_EQ(scaler.finiteStreak(), 1999);
    scaler.update(true);
    EXPECT_EQ(scaler.scale(), 65536);
    EXPECT_EQ(scaler.finiteStreak(), 0);
    finiteSteps(scaler, 1999);
    EXPECT_EQ(scaler.scale(), 65536);
    scaler.update(true);
    EXPECT_EQ(scaler.scale(), 131072);
    finiteSteps(scaler, 2001);
    EXPECT_EQ(scaler.scale(), 262144);
    EXPECT_EQ(scaler.finiteStreak(), 1);
}

TEST(LossScaler, OverflowsAtTheStartDelayTheFirstGrowth) {
    LossScaler scaler;
    for (const double scale : {16384, 8192, 4096}) {
        scaler.update(false);
        EXPECT_EQ(scaler.scale(), scale);
    }
    finiteSteps(scaler, 1999); // steps 4 to 2002
    EXPECT_EQ(scaler.scale(), 4096);
    scaler.update(true);
    EXPECT_EQ(scaler.scale(), 8192);
    EXPECT_EQ(scaler.skippedSteps(), 3);
}

TEST(LossScaler, FollowsAMixedPatternStepByStep) {
    LossScaler scaler({.growthInterval = 4});
    const std::vector<bool> finite{true, true, true, true, true, false, true, true, true, true, false, false, true};
    const std::vector<double> scales{32768, 32768, 32768, 65536, 65536, 32768, 32768,
                                     32768, 32768, 65536, 32768, 16384, 16384};
    const std::vector<std::int64_t> streaks{1, 2, 3, 0, 1, 0, 1, 2, 3, 0, 0, 0, 1};
    for (std::size_t step = 0; step < finite.size(); ++step) {
        scaler.update(finite[step]);
        EXPECT_EQ(scaler.scale(), scales[step]) << "step " << step + 1;
        EXPECT_EQ(scaler.finiteStreak(), streaks[step]) << "step " << step + 1;
    }
}

TEST(LossScaler, NeverFallsBelowOne) {
    LossScaler scaler;
    for (int i = 0; i < 15; ++i) {
        EXPECT_FALSE(scaler.isAtFloor());
        scaler.update(false);
    }
    EXPECT_EQ(scaler.scale(), 1);
    EXPECT_TRUE(scaler.isAtFloor());
    for (int i = 0; i < 200; ++i) {
        scaler.update(false);
        EXPECT_EQ(scaler.scale(), 1);
    }
    EXPECT_EQ(scaler.skippedSteps(), 215);
    finiteSteps(scaler, 2000);
    EXPECT_EQ(scaler.scale(), 2);
}

TEST(LossScaler, NeverGrowsPastTheLargestPowerOfTwoOfFloat32) {
    LossScaler scaler({.initialScale = 0x1p126, .growthInterval = 1});
    scaler.update(true);
    EXPECT_EQ(scaler.scale(), 0x1p127);
    for (int i = 0; i < 2000; ++i) {
        scaler.update(true);
    }
    EXPECT_EQ(scaler.scale(), 0x1p127);
    scaler.update(false);
    EXPECT_EQ(scaler.scale(), 0x1p126);
}

TEST(LossScaler, CountsSkippedStepsInARow) {
    LossScaler scaler;
    scaler.update(false);
    scaler.update(false);
    EXPECT_EQ(scaler.skippedStreak(), 2);
    scaler.update(true);
    EXPECT_EQ(scaler.skippedStreak(), 0);
    EXPECT_EQ(scaler.skippedSteps(), 2);
    scaler.update(false);
    EXPECT_EQ(scaler.skippedStreak(), 1);
    EXPECT_EQ(scaler.skippedSteps(), 3);
}

} // namespace
} // namespace halfstep::precision
