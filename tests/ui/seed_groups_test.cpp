#include "tests/ui/made_run.h"
#include "ui/charts/curve_chart.h"
#include "ui/models/seed_groups.h"
#include "ui/pages/compare_curves.h"
#include <QAreaSeries>
#include <QChart>
#include <QCheckBox>
#include <cmath>
#include <gtest/gtest.h>

namespace halfstep::ui {
namespace {

std::shared_ptr<RunRecords> recordsOf(std::int64_t id, const MadeRun& made) {
    auto records = std::make_shared<RunRecords>();
    records->run.id = id;
    records->run.config.policy = made.policy;
    records->run.config.seed = made.seed;
    records->run.config.name = made.name;
    records->steps = stepsOf(made);
    for (int epoch = 1; epoch <= made.epochs; ++epoch) {
        records->epochs.push_back({.epoch = epoch,
                                   .valLoss = static_cast<double>(made.seed),
                                   .valAccuracy = 0.1 * static_cast<double>(made.seed),
                                   .seconds = 1});
    }
    return records;
}

TEST(SeedGroups, HoldRunsThatDifferOnlyInTheirSeed) {
    const RunList runs{recordsOf(1, {.seed = 1}),
                       recordsOf(2, {.policy = precision::Policy::MixedFloat16, .seed = 1}),
                       recordsOf(3, {.name = "another name", .seed = 2}), recordsOf(4, {.seed = 1})};
    const std::vector<SeedGroup> groups = seedGroups(runs);
    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(groups[0].runs, RunList({runs[0], runs[2]}));
    EXPECT_EQ(groups[1].runs, RunList({runs[1]}));
    EXPECT_EQ(groups[2].runs, RunList({runs[3]})) << "the same seed again is no other sample";
    auto other = recordsOf(5, {.seed = 3});
    other->run.environment.dataFingerprint = "of other pictures";
    EXPECT_EQ(seedGroups({runs[0], other}).size(), 2U);
}

TEST(Bands, GoFromTheLowestToTheHighestAsFarAsTheShortestRun) {
    RunCurves a, b;
    a.smoothed = {{1, 2}, {2, 4}, {3, 9}};
    b.smoothed = {{1, 4}, {2, 3}};
    const Band band = trainingBand({a, b});
    EXPECT_EQ(band.mean, std::vector<QPointF>({{1, 3}, {2, 3.5}}));
    EXPECT_EQ(band.low, std::vector<QPointF>({{1, 2}, {2, 3}}));
    EXPECT_EQ(band.high, std::vector<QPointF>({{1, 4}, {2, 4}}));
}

TEST(Bands, AreAGapWhereARunIsNotFinite) {
    RunCurves a, b;
    a.validation = {{1, 2}, {2, 4}};
    b.validation = {{1, NAN}, {2, 4}};
    const Band band = validationBand({a, b});
    EXPECT_TRUE(std::isnan(band.low[0].y()) && std::isnan(band.mean[0].y()) && std::isnan(band.high[0].y()));
    EXPECT_EQ(band.mean[1], QPointF(2, 4));
}

TEST(CompareCurves, DrawSeveralSeedsAsOneMeanInABandOrEachByItself) {
    CompareCurves curves(nullptr);
    curves.setTheme(themeFor(ThemeKind::Light));
    auto* together = curves.findChild<QCheckBox*>("curveSeeds");
    curves.setRuns({recordsOf(1, {.seed = 1})});
    EXPECT_FALSE(together->isEnabled());
    EXPECT_EQ(curves.chart()->curveCount(), 3U); // each step, smoothed, validation

    curves.setRuns({recordsOf(1, {.seed = 1}), recordsOf(2, {.seed = 2}), recordsOf(3, {.seed = 6})});
    ASSERT_TRUE(together->isEnabled());
    ASSERT_EQ(curves.chart()->curveCount(), 6U); // lowest, highest, mean of training and of validation
    EXPECT_EQ(curves.chart()->points(3).front(), QPointF(10, 1));
    EXPECT_EQ(curves.chart()->points(4).front(), QPointF(10, 6));
    EXPECT_EQ(curves.chart()->points(5).front(), QPointF(10, 3));
    const auto drawing = curves.chart()->drawing(exportTheme());
    int bands = 0;
    for (const QAbstractSeries* series : drawing->series()) {
        bands += qobject_cast<const QAreaSeries*>(series) != nullptr && series->isVisible() ? 1 : 0;
    }
    EXPECT_EQ(bands, 2);
    EXPECT_TRUE(curves.chart()->csv().startsWith("step,runs_from_1_lowest_loss,runs_from_1_highest_loss,"
                                                 "runs_from_1_mean_loss,runs_from_1_val_lowest_loss"))
        << curves.chart()->csv().left(200).toStdString();

    curves.chart()->setCurveVisible(2, false);
    EXPECT_FALSE(curves.chart()->isCurveVisible(0)) << "a band goes with its mean";
    EXPECT_FALSE(curves.chart()->isCurveVisible(1));
    EXPECT_TRUE(curves.chart()->isCurveVisible(3));

    together->setChecked(false);
    EXPECT_EQ(curves.chart()->curveCount(), 9U);
}

TEST(CompareCurves, SmoothOnlyOnDemand) {
    CompareCurves curves(nullptr);
    curves.setTheme(themeFor(ThemeKind::Light));
    curves.setRuns({recordsOf(1, {})});
    curves.findChild<QCheckBox*>("curveSmooth")->setChecked(false);
    ASSERT_EQ(curves.chart()->curveCount(), 2U);
    EXPECT_EQ(curves.chart()->points(0)[1].y(), stepsOf({})[1].loss);
}

} // namespace
} // namespace halfstep::ui
