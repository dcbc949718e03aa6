#include "engine/analysis/sweep_estimate.h"
#include <gtest/gtest.h>

namespace halfstep::analysis {
namespace {
using precision::Policy;
using values::CellStatus;

/// Every round of it took 100 ms a picture: 20 of warm-up, 70 of steps, 10 of waiting.
values::SweepCell cell(Policy policy, int batchSize, int rounds) {
    values::SweepCell cell{.key = {.policy = policy, .batchSize = batchSize}};
    cell.status = rounds > 0 ? CellStatus::Ok : CellStatus::NotRun;
    for (int round = 1; round <= rounds; ++round) {
        cell.rounds.push_back({.round = round,
                               .warmupMilliseconds = {20.0 * batchSize},
                               .stepMilliseconds = {30.0 * batchSize, 40.0 * batchSize},
                               .waitMilliseconds = {5.0 * batchSize, 5.0 * batchSize}});
    }
    return cell;
}

values::Sweep sweepOf(std::vector<values::SweepCell> cells) {
    values::Sweep sweep;
    sweep.config.repeats = 3;
    sweep.cells = std::move(cells);
    return sweep;
}

TEST(SweepEstimate, CountsTheRoundsThatAreMissing) {
    values::SweepCell oom = cell(Policy::Float32, 64, 0);
    oom.status = CellStatus::Oom;
    const values::Sweep sweep = sweepOf({cell(Policy::Float32, 8, 1), cell(Policy::Float32, 16, 0), oom});
    EXPECT_EQ(cellRoundsLeft(sweep), 5);
}

TEST(SweepEstimate, ACellsOwnRoundsSayHowLongItsNextOnesTake) {
    EXPECT_DOUBLE_EQ(*secondsLeft(sweepOf({cell(Policy::Float32, 10, 1)})), 2 * 10 * 0.1);
    EXPECT_DOUBLE_EQ(*secondsLeft(sweepOf({cell(Policy::Float32, 10, 3)})), 0);
}

TEST(SweepEstimate, ACellWithoutRoundsIsHeldAgainstItsPolicyByTheImage) {
    values::SweepCell slow = cell(Policy::MixedFloat16, 10, 3);
    for (values::CellRound& round : slow.rounds) {
        round.warmupMilliseconds = {20'000};
    }
    const values::Sweep sweep = sweepOf({cell(Policy::Float32, 10, 3), slow, cell(Policy::Float32, 20, 0)});
    EXPECT_DOUBLE_EQ(*secondsLeft(sweep), 3 * 20 * 0.1);
    EXPECT_DOUBLE_EQ(*secondsLeft(sweepOf({cell(Policy::Float32, 10, 3), cell(Policy::MixedFloat16, 20, 0)})),
                     3 * 20 * 0.1);
}

TEST(SweepEstimate, NothingIsKnownBeforeTheFirstRound) {
    EXPECT_FALSE(secondsLeft(sweepOf({cell(Policy::Float32, 10, 0)})));
}

} // namespace
} // namespace halfstep::analysis
