#include "engine/store/run_export.h"
#include "tests/ui/made_run.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/models/run_comparison.h"
#include "ui/models/table_text.h"
#include "ui/pages/compare_runs.h"
#include "ui/pages/compare_table.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include <QAbstractButton>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace halfstep::ui {
namespace {

using precision::Policy;
using testing::ElementsAre;
using values::RunStatus;

class CompareRunsTest : public testing::Test {
protected:
    CompareRunsTest() : history(file("runs.sqlite")) { context.places.historyFile = file("runs.sqlite"); }

    std::filesystem::path file(const char* name) const { return folder.filePath(name).toStdString(); }
    std::unique_ptr<CompareRuns> shownPage(int runs) {
        auto page = std::make_unique<CompareRuns>(context);
        page->resize(1000, 700);
        page->setTheme(themeFor(ThemeKind::Light));
        page->show();
        EXPECT_TRUE(QTest::qWaitFor([&] { return page->runs().rowCount() == runs; }));
        return page;
    }
    static bool drawn(CompareRuns& page, std::size_t bars) {
        return QTest::qWaitFor([&] { return page.findChild<BarChart*>()->bars().size() == bars; });
    }
    static std::vector<std::int64_t> idsOf(const std::vector<store::StoredRun>& runs) {
        std::vector<std::int64_t> ids;
        for (const store::StoredRun& run : runs) {
            ids.push_back(run.id);
        }
        return ids;
    }

    QTemporaryDir folder;
    store::RunStore history;
    AppContext context;
};

TEST_F(CompareRunsTest, SaysWhatToDoWhileThereAreNoRuns) {
    CompareRuns page(context);
    page.show();
    auto* empty = page.findChild<EmptyState*>();
    EXPECT_TRUE(empty->isVisible());
    QSignalSpy wanted(&page, &CompareRuns::experimentWanted);
    empty->button()->click();
    EXPECT_EQ(wanted.size(), 1);
}

TEST_F(CompareRunsTest, DrawsTheMediansOfTheCheckedRunsAsBars) {
    enter(history, {.policy = Policy::Float32, .median = 281});
    enter(history, {.policy = Policy::MixedFloat16, .median = 251});
    enter(history, {.policy = Policy::MixedFloat16, .batchSize = 64, .median = 480});
    const auto page = shownPage(3);
    ASSERT_TRUE(drawn(*page, 3));
    const std::vector<Bar>& bars = page->findChild<BarChart*>()->bars();
    EXPECT_EQ(bars[0].group, "batch 32");
    EXPECT_EQ(bars[0].series, "float32");
    EXPECT_DOUBLE_EQ(bars[0].value, 281);
    EXPECT_DOUBLE_EQ(bars[1].value, 251);
    EXPECT_EQ(bars[2].group, "batch 64");
    EXPECT_DOUBLE_EQ(bars[2].value, 480);
    EXPECT_EQ(bars[1].colour, colourOf(Policy::MixedFloat16));
    EXPECT_LT(*bars[1].low, 251);
    EXPECT_GT(*bars[1].high, 251);
    EXPECT_EQ(page->findChild<QLabel*>("speedUp")->text(),
              "mixed_float16 is 1.12x faster than float32 at batch 32: 251 ms against 281 ms a step.");

    page->runs().setChecked(1, false);
    EXPECT_TRUE(drawn(*page, 2));
    EXPECT_EQ(page->findChild<QLabel*>("speedUp")->text(),
              "Check a float32 run and a 16-bit run with the same batch size and data to see which is faster.");
}

TEST_F(CompareRunsTest, ChecksARunThatHasJustEnded) {
    enter(history, {});
    const auto page = shownPage(1);
    page->runs().setChecked(1, false);
    const std::int64_t run = enter(history, {.policy = Policy::MixedBFloat16});
    page->historyChanged();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->runs().rowCount() == 2; }));
    EXPECT_THAT(page->runs().checkedRuns(), ElementsAre(run));
    EXPECT_TRUE(drawn(*page, 1));
    EXPECT_EQ(page->findChild<CurveChart*>()->curveCount(), 3u); // raw, smoothed, validation
}

TEST_F(CompareRunsTest, ChecksOnlyTheChosenRunsEvenIfOthersHaveJustEnded) {
    enter(history, {});
    enter(history, {});
    const auto page = shownPage(2);
    page->hide();
    enter(history, {});
    page->runs().checkOnly({1});
    page->show(); // reads the history
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->runs().rowCount() == 3; }));
    EXPECT_THAT(page->runs().checkedRuns(), ElementsAre(1));
}

TEST_F(CompareRunsTest, BringsADeletedRunBackByUndo) {
    enter(history, {});
    enter(history, {});
    {
        const auto page = shownPage(2);
        page->findChild<CompareTable*>()->selectRow(0); // run 2, the newest
        QTest::keyClick(page->findChild<CompareTable*>(), Qt::Key_Delete);
        EXPECT_THAT(idsOf(page->runs().runs()), ElementsAre(1));
        auto* banner = page->undoBanner();
        EXPECT_EQ(banner->message(), "Deleted 1 run.");
        emit banner->actionRequested();
        EXPECT_THAT(idsOf(page->runs().runs()), ElementsAre(2, 1));
    }
    EXPECT_THAT(idsOf(history.runs()), ElementsAre(2, 1));
}

TEST_F(CompareRunsTest, CarriesADeletionOutWhenItCloses) {
    enter(history, {});
    enter(history, {});
    {
        const auto page = shownPage(2);
        page->findChild<CompareTable*>()->selectRow(1); // run 1
        page->findChild<QPushButton*>("deleteRuns")->click();
        EXPECT_THAT(idsOf(history.runs()), ElementsAre(2, 1)); // can still be undone
    }
    EXPECT_THAT(idsOf(history.runs()), ElementsAre(2));
}

TEST_F(CompareRunsTest, DoesNotDeleteARunThatGoesOn) {
    enter(history, {.status = RunStatus::Running});
    const auto page = shownPage(1);
    page->findChild<CompareTable*>()->selectRow(0);
    page->findChild<QPushButton*>("deleteRuns")->click();
    EXPECT_EQ(page->runs().rowCount(), 1);
    EXPECT_EQ(page->banner()->message(), "Run 1 is still running: stop it before you delete it.");
}

TEST_F(CompareRunsTest, CopiesWhatShowsInFullPrecision) {
    enter(history, {.policy = Policy::Float32, .median = 300, .name = "a\tb"});
    enter(history, {.policy = Policy::MixedFloat16, .batchSize = 64, .median = 250});
    const auto page = shownPage(2);
    auto* table = page->findChild<CompareTable*>();
    page->findChild<QAbstractButton*>("onlyDifferences")->click();
    table->setColumnHidden(static_cast<int>(RunColumn::Started), true); // the time of the test
    table->sortByColumn(static_cast<int>(RunColumn::StepMilliseconds), Qt::AscendingOrder);
    EXPECT_EQ(shownTableText(*table), "Run\tName\tPolicy\tBatch\tms / step\tImages / s\n"
                                      "2\t\tmixed_float16\t64\t250\t256\n"
                                      "1\ta b\tfloat32\t32\t300\t106.66666666666667\n");
    table->selectRow(1);
    EXPECT_EQ(shownTableText(*table), "Run\tName\tPolicy\tBatch\tms / step\tImages / s\n"
                                      "1\ta b\tfloat32\t32\t300\t106.66666666666667\n");
}

TEST_F(CompareRunsTest, ExportsTheStepsOfSeveralRunsAsOneTable) {
    const MadeRun first{.median = 100}, second{.policy = Policy::MixedFloat16, .median = 90};
    enter(history, first);
    enter(history, second);
    const std::filesystem::path steps = file("steps.csv");
    RunHistory reader(context.places.historyFile);
    QSignalSpy exported(&reader, &RunHistory::exported);
    reader.exportSteps({1, 2}, QString::fromStdString(steps.string()));
    ASSERT_TRUE(exported.wait());
    std::ostringstream expected;
    store::writeStepsCsv(expected, 1, stepsOf(first));
    for (const values::StepRecord& step : stepsOf(second)) {
        expected << store::stepsCsvRow(2, step) << '\n';
    }
    std::ostringstream written;
    written << std::ifstream(steps).rdbuf();
    EXPECT_EQ(written.str(), expected.str());
}

TEST(RunFilterModel, PutsRunsWithoutAValueLastBothWays) {
    RunTableModel runs;
    std::vector<store::StoredRun> made(3);
    made[0].id = 3;
    made[1].id = 2;
    made[1].medianStepMilliseconds = 90;
    made[2].id = 1;
    made[2].medianStepMilliseconds = 250;
    runs.setRuns(made);
    RunFilterModel sorted;
    sorted.setSourceModel(&runs);
    const auto order = [&](Qt::SortOrder by) {
        sorted.sort(static_cast<int>(RunColumn::StepMilliseconds), by);
        std::vector<qlonglong> ids;
        for (int row = 0; row < sorted.rowCount(); ++row) {
            ids.push_back(sorted.index(row, 0).data(RunTableModel::kRunRole).toLongLong());
        }
        return ids;
    };
    EXPECT_THAT(order(Qt::AscendingOrder), ElementsAre(2, 1, 3));
    EXPECT_THAT(order(Qt::DescendingOrder), ElementsAre(1, 2, 3));
    sorted.setFilterText("250");
    EXPECT_THAT(order(Qt::AscendingOrder), ElementsAre(1));
}

RunList recordsOf(const std::vector<MadeRun>& made) {
    RunList list;
    for (const MadeRun& one : made) {
        RunRecords records;
        records.run.id = static_cast<std::int64_t>(list.size()) + 1;
        records.run.config.policy = one.policy;
        records.run.config.batchSize = one.batchSize;
        records.run.dataName = "drawn sample";
        records.steps = stepsOf(one);
        list.push_back(std::make_shared<RunRecords>(std::move(records)));
    }
    return list;
}

TEST(SpeedUp, IsNotClaimedWhereTheMiddleHalvesOverlap) {
    const auto cells =
        stepTimeCells(recordsOf({{.median = 251.5}, {.policy = Policy::MixedFloat16, .median = 250.5}}));
    const QStringList sentences = speedUpSentences(cells);
    ASSERT_EQ(sentences.size(), 1);
    EXPECT_TRUE(sentences[0].startsWith("No difference shown between mixed_float16 and float32 at batch 32"))
        << sentences[0].toStdString();
}

TEST(SpeedUp, SaysWhereSixteenBitIsSlower) {
    const auto cells = stepTimeCells(recordsOf({{.median = 200}, {.policy = Policy::MixedBFloat16, .median = 300}}));
    EXPECT_EQ(speedUpSentences(cells),
              QStringList("mixed_bfloat16 is 1.50x slower than float32 at batch 32: 300 ms against 200 ms a step."));
}

TEST(StepTimeCells, KeepRunsUnderOtherConditionsApartAndSayWhatDiffers) {
    RunList runs = recordsOf({{.median = 100}, {.median = 400}});
    auto larger = std::make_shared<RunRecords>(*runs[1]);
    larger->run.config.imageSize = 512;
    runs[1] = larger;
    const auto cells = stepTimeCells(runs);
    ASSERT_EQ(cells.size(), 2u);
    EXPECT_EQ(cells[0].conditions, "batch 32, 256 px");
    EXPECT_EQ(cells[1].conditions, "batch 32, 512 px");
    EXPECT_DOUBLE_EQ(cells[1].milliseconds.median, 400);
}

TEST(RunCurves, PutValidationAtTheEndOfItsEpochOnEveryAxis) {
    RunRecords records;
    for (int i = 0; i < 15; ++i) { // one epoch of ten steps, and half of the next
        values::StepRecord step;
        step.step = i + 1;
        step.epoch = i < 10 ? 1 : 2;
        step.loss = 1;
        step.stepMilliseconds = 90;
        step.dataWaitMilliseconds = 10;
        records.steps.push_back(step);
    }
    values::EpochRecord epoch;
    epoch.epoch = 1;
    epoch.valLoss = 0.5;
    epoch.seconds = 3; // 1 of training, 2 of validation
    records.epochs.push_back(epoch);

    const RunCurves steps = runCurves(records, CurveMetric::Loss, CurveOver::Step);
    EXPECT_EQ(steps.validation, std::vector<QPointF>{QPointF(10, 0.5)});
    const RunCurves epochs = runCurves(records, CurveMetric::Loss, CurveOver::Epoch);
    EXPECT_EQ(epochs.validation, std::vector<QPointF>{QPointF(1, 0.5)});
    EXPECT_DOUBLE_EQ(epochs.raw.back().x(), 1.5);
    const RunCurves seconds = runCurves(records, CurveMetric::Loss, CurveOver::Seconds);
    EXPECT_EQ(seconds.validation, std::vector<QPointF>{QPointF(3, 0.5)});
    EXPECT_DOUBLE_EQ(seconds.raw[9].x(), 1);
    EXPECT_DOUBLE_EQ(seconds.raw.back().x(), 3.5);
    EXPECT_TRUE(runCurves(records, CurveMetric::Accuracy, CurveOver::Step).validation.empty());
}

} // namespace
} // namespace halfstep::ui
