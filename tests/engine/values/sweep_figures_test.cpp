#include "engine/analysis/sweep_figures.h"
#include "engine/precision/policy.h"
#include <gmock/gmock.h>

namespace halfstep::analysis {
namespace {
using precision::Policy;
using testing::HasSubstr;
using testing::IsEmpty;
using values::CellStatus;

values::SweepCell cell(Policy policy, int batchSize, const std::vector<std::vector<double>>& rounds) {
    values::SweepCell cell{.key = {.policy = policy, .batchSize = batchSize}, .status = CellStatus::Ok};
    for (const std::vector<double>& steps : rounds) {
        cell.rounds.push_back({.round = static_cast<int>(cell.rounds.size()) + 1,
                               .warmupMilliseconds = {500, 100},
                               .stepMilliseconds = steps,
                               .waitMilliseconds = std::vector<double>(steps.size(), 0.5),
                               .peakBytes = 1000});
    }
    return cell;
}

values::Sweep sweepOf(std::vector<values::SweepCell> cells) {
    values::Sweep sweep;
    sweep.cells = std::move(cells);
    return sweep;
}

TEST(SweepFigures, AMedianStandsInItsIntervalAndWarmUpIsApart) {
    const auto figures = figuresOf(sweepOf({cell(Policy::Float32, 8, {{10, 11, 12}, {10, 11, 12}, {10, 11, 13}})}));
    const CellFigures& only = figures.at(0);
    EXPECT_EQ(only.status, CellStatus::Ok);
    EXPECT_THAT(only.note, IsEmpty());
    EXPECT_EQ(only.timedSteps, 9);
    EXPECT_EQ(only.median, 11.0);
    EXPECT_LE(only.interval->low, 11);
    EXPECT_GE(only.interval->high, 11);
    EXPECT_GE(only.interval->low, 10);
    EXPECT_LE(only.interval->high, 13);
    EXPECT_DOUBLE_EQ(*only.imagesPerSecond, 8 * 1000.0 / 11);
    EXPECT_EQ(only.warmupSteps, 6);
    EXPECT_EQ(only.warmupMilliseconds, 1800.0);
    EXPECT_EQ(only.medianWait, 0.5);
    EXPECT_EQ(only.peakBytes, 1000U);
    EXPECT_EQ(only.speedUp->word, "baseline");
}

TEST(SweepFigures, SpeedUpIsTheBaselinesTimeOverTheCells) {
    const auto figures = figuresOf(sweepOf({cell(Policy::Float32, 8, {{20, 20, 20}, {20, 20, 20}}),
                                            cell(Policy::MixedFloat16, 8, {{10, 10, 10}, {10, 10, 10}}),
                                            cell(Policy::MixedBFloat16, 8, {{40, 40, 40}, {40, 40, 40}}),
                                            cell(Policy::MixedFloat16, 16, {{10, 10, 10}})}));
    EXPECT_EQ(figures[1].speedUp->ratio, 2);
    EXPECT_EQ(figures[1].speedUp->interval, (Interval{2, 2}));
    EXPECT_EQ(figures[1].speedUp->word, "2.00x faster");
    EXPECT_EQ(figures[2].speedUp->word, "0.50x, slower");
    EXPECT_FALSE(figures[3].speedUp) << "a batch of 16 has no baseline here";
}

TEST(SweepFigures, WhereIntervalsReachOneNoDifferenceIsShown) {
    const auto figures = figuresOf(sweepOf({cell(Policy::Float32, 8, {{10, 12, 11, 10}, {12, 11, 10, 12}}),
                                            cell(Policy::MixedFloat16, 8, {{11, 10, 12, 11}, {10, 12, 11, 11}})}));
    EXPECT_LT(figures[1].speedUp->interval.low, 1);
    EXPECT_GT(figures[1].speedUp->interval.high, 1);
    EXPECT_EQ(figures[1].speedUp->word, "no difference shown");
}

/// A machine that was slow in one round is slow for both cells of that round: their ratio keeps.
TEST(SweepFigures, ADriftThatHitsBothCellsAlikeLeavesTheirRatio) {
    const auto figures = figuresOf(sweepOf({cell(Policy::Float32, 8, {{20, 20}, {24, 24}, {22, 22}}),
                                            cell(Policy::MixedFloat16, 8, {{10, 10}, {12, 12}, {11, 11}})}));
    EXPECT_EQ(figures[1].speedUp->interval, (Interval{2, 2}));
    EXPECT_LT(figures[1].interval->low, figures[1].interval->high);
}

TEST(SweepFigures, TheSameMeasurementsGiveTheSameFigures) {
    const values::Sweep sweep = sweepOf({cell(Policy::Float32, 8, {{10, 12, 11}, {12, 11, 10}}),
                                         cell(Policy::MixedFloat16, 8, {{9, 10, 8}, {9, 9, 10}})});
    const auto first = figuresOf(sweep), second = figuresOf(sweep);
    EXPECT_EQ(first[0].interval, second[0].interval);
    EXPECT_EQ(first[1].speedUp->interval, second[1].speedUp->interval);
}

TEST(SweepFigures, ACellThatWasDisturbedSaysByWhat) {
    values::SweepCell busy = cell(Policy::Float32, 8, {{10, 10, 10}, {10, 10, 10}});
    busy.rounds[1].otherShare = 0.5;
    const auto figures = figuresOf(sweepOf({busy, cell(Policy::Float32, 16, {{10, 20, 30, 40}}),
                                            cell(Policy::Float32, 32, {{10, 10, 10}, {15, 15, 15}})}));
    EXPECT_EQ(figures[0].status, CellStatus::Disturbed);
    EXPECT_THAT(figures[0].note, HasSubstr("Other processes took 50 % of the machine in round 2"));
    EXPECT_EQ(figures[0].median, 10.0) << "what was measured stays";
    EXPECT_THAT(figures[1].note, HasSubstr("spreads over 60 % of the median"));
    EXPECT_EQ(figures[2].status, CellStatus::Disturbed);
}

TEST(SweepFigures, ACellThatDidNotRunHasNoFigures) {
    values::SweepCell oom{.key = {}, .status = CellStatus::Oom, .message = "Out of memory: ..."};
    oom.predicted = values::PredictedMemory{.peak = 7};
    const auto figures = figuresOf(sweepOf({oom, cell(Policy::MixedFloat16, 32, {{1, 1}})}));
    EXPECT_EQ(figures[0].status, CellStatus::Oom);
    EXPECT_FALSE(figures[0].median);
    EXPECT_EQ(figures[0].predictedBytes, 7U);
    EXPECT_EQ(figures[0].note, "Out of memory: ...");
    EXPECT_FALSE(figures[1].speedUp) << "its baseline is out of memory";
}

TEST(SweepFigures, ADisturbedBaselineIsNamedAtTheWord) {
    auto baseline = cell(Policy::Float32, 8, {{20, 20, 20}, {20, 20, 20}});
    baseline.rounds[0].otherShare = 0.5;
    const auto figures = figuresOf(sweepOf({baseline, cell(Policy::MixedFloat16, 8, {{10, 10, 10}, {10, 10, 10}})}));
    EXPECT_EQ(figures.at(0).status, CellStatus::Disturbed);
    EXPECT_EQ(figures.at(0).speedUp->word, "baseline");
    EXPECT_EQ(figures.at(1).speedUp->word, "2.00x faster (disturbed baseline)");
}

} // namespace
} // namespace halfstep::analysis
