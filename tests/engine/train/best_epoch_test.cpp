#include "engine/train/best_epoch.h"
#include <gtest/gtest.h>
#include <limits>

namespace halfstep::train {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(BestEpoch, IsTheOneWithTheLowestLoss) {
    BestEpoch best;
    EXPECT_TRUE(best.take(1, 10, 2.0));
    EXPECT_TRUE(best.take(2, 20, 1.0));
    EXPECT_FALSE(best.take(3, 30, 1.5));
    EXPECT_EQ(best.state(), (BestEpoch::State{.epoch = 2, .step = 20, .loss = 1.0, .epochsWithoutBetter = 1}));
}

TEST(BestEpoch, TheSameLossIsNoImprovement) {
    BestEpoch best;
    best.take(1, 10, 1.0);
    EXPECT_FALSE(best.take(2, 20, 1.0));
    EXPECT_EQ(best.state().epoch, 1);
}

TEST(BestEpoch, IsNeverNotANumberOrInfinite) {
    BestEpoch best;
    EXPECT_FALSE(best.take(1, 10, kNaN));
    EXPECT_FALSE(best.take(2, 20, kInfinity));
    EXPECT_FALSE(best.take(3, 30, -kInfinity));
    EXPECT_EQ(best.state().epoch, 0) << "there is none yet";
    EXPECT_EQ(best.state().epochsWithoutBetter, 3);
}

TEST(BestEpoch, NotANumberFirstDoesNotBlockFiniteLossesLater) {
    BestEpoch best;
    best.take(1, 10, kNaN);
    EXPECT_TRUE(best.take(2, 20, 5.0));
    EXPECT_FALSE(best.take(3, 30, kNaN));
    EXPECT_TRUE(best.take(4, 40, 4.0));
    EXPECT_EQ(best.state(), (BestEpoch::State{.epoch = 4, .step = 40, .loss = 4.0, .epochsWithoutBetter = 0}));
}

TEST(BestEpoch, PatienceCountsTheEpochsInARowThatAreNoBetter) {
    BestEpoch best;
    best.take(1, 10, 1.0);
    best.take(2, 20, 2.0);
    EXPECT_FALSE(best.exhausts(2));
    EXPECT_TRUE(best.exhausts(1));
    best.take(3, 30, kNaN);
    EXPECT_TRUE(best.exhausts(2)) << "NaN is no improvement";
    EXPECT_FALSE(best.exhausts(std::nullopt));
    best.take(4, 40, 0.5);
    EXPECT_FALSE(best.exhausts(1));
}

TEST(BestEpoch, GoesOnFromItsState) {
    BestEpoch first;
    first.take(1, 10, 1.0);
    first.take(2, 20, 2.0);
    BestEpoch second(first.state());
    EXPECT_FALSE(second.take(3, 30, 1.5));
    EXPECT_TRUE(second.exhausts(2));
}

} // namespace
} // namespace halfstep::train
