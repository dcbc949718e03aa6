// The grid of a sweep: what its cells say, what is copied from it, and what its charts draw.
#include "tests/ui/fake_sweep.h"
#include "ui/models/table_text.h"
#include "ui/pages/sweep_grid.h"
#include "ui/report/sweep_charts.h"
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>

using namespace halfstep;
using namespace halfstep::ui;
using precision::Policy;
using testing::ElementsAre;
using testing::HasSubstr;
using values::CellStatus;

namespace {

/// float32, mixed_float16 and mixed_bfloat16 at 8, 16 and 64; float32 takes 4 ms an image, the others 3; 64 is OOM.
/// The cells of mixed_bfloat16 were not measured yet.
MeasuredSweepPtr made() {
    values::SweepConfig config;
    config.batchSizes = {8, 16, 64};
    config.steps = 3;
    config.warmup = 1;
    config.repeats = 2;
    values::Sweep sweep = tests::fakeSweepOf(config, {.oomFrom = 64});
    for (values::SweepCell& cell : sweep.cells) {
        if (cell.status == CellStatus::Oom || cell.key.policy == Policy::MixedBFloat16) {
            continue;
        }
        cell.status = CellStatus::Ok;
        for (int round = 1; round <= 2; ++round) {
            const bool disturbed = cell.key == values::CellKey{Policy::Float32, 16, "cpu", "auto"};
            cell.rounds.push_back(tests::fakeRound(config, cell.key, round, disturbed));
        }
    }
    return measuredSweep(sweep);
}

std::string text(const QString& text) {
    return text.toStdString();
}

class SweepGridTest : public testing::Test {
protected:
    SweepGridTest() {
        grid.setTheme(themeFor(ThemeKind::Light));
        grid.resize(800, 320);
        grid.setSweep(made());
        grid.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&grid));
    }
    QModelIndex at(int row, int column) { return grid.model()->index(row, column); }
    CellLook look(int row, int column) { return at(row, column).data(SweepGridModel::kLookRole).value<CellLook>(); }
    QPoint middleOf(int row, int column) { return grid.visualRect(at(row, column)).center(); }
    void click(int row, int column, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(grid.viewport(), Qt::LeftButton, keys, middleOf(row, column));
    }

    SweepGrid grid;
};

TEST_F(SweepGridTest, ACellSaysItsTimeItsIntervalAndAPlainWord) {
    EXPECT_EQ(grid.model()->rowCount(), 3);
    EXPECT_EQ(grid.model()->columnCount(), 4);
    const CellLook mixed = look(0, 2);
    EXPECT_EQ(mixed.large, "24.0 ms");
    EXPECT_THAT(text(mixed.small), HasSubstr("images/s"));
    EXPECT_EQ(mixed.word, "1.33x faster");
    EXPECT_EQ(mixed.tone, Tone::Good);
    EXPECT_THAT(text(mixed.toolTip), HasSubstr("250"));
    EXPECT_EQ(look(0, 1).word, "baseline");
}

TEST_F(SweepGridTest, ACellThatDoesNotFitSaysByHowMuch) {
    const CellLook oom = look(2, 1);
    EXPECT_EQ(oom.large, "OOM");
    EXPECT_EQ(oom.small, "wants 640 MB, 400 MB free");
    EXPECT_EQ(oom.word, "batch 40 fits");
    const QSignalSpy chosen(&grid, &SweepGrid::cellChosen);
    click(2, 1);
    EXPECT_EQ(chosen.size(), 0) << "there is no step to explain";
}

TEST_F(SweepGridTest, ADisturbedCellKeepsItsTimeAndSaysWhatDisturbedIt) {
    const CellLook disturbed = look(1, 1);
    EXPECT_EQ(disturbed.status, CellStatus::Disturbed);
    EXPECT_TRUE(disturbed.sort);
    EXPECT_THAT(text(disturbed.toolTip), HasSubstr("measure it again when the machine is quiet"));
}

TEST_F(SweepGridTest, ACellThatWasNotMeasuredShowsWhatIsPredicted) {
    EXPECT_EQ(look(0, 3).large, "–");
    EXPECT_EQ(look(0, 3).small, "predicted: 80 MB");
    grid.setStep(values::SweepStep{.cell = 2, .round = 2, .step = 3, .steps = 4});
    EXPECT_TRUE(look(0, 3).measuring);
    EXPECT_EQ(look(0, 3).word, "round 2, step 3 of 4");
}

TEST_F(SweepGridTest, AClickOrEnterAsksWhy) {
    std::vector<std::size_t> cells;
    QObject::connect(&grid, &SweepGrid::cellChosen, [&](std::size_t cell) { cells.push_back(cell); });
    click(0, 2);
    click(1, 1);
    click(1, 2, Qt::ControlModifier); // selects
    grid.setCurrentIndex(at(0, 3));
    QTest::keyClick(&grid, Qt::Key_Return);
    EXPECT_THAT(cells, ElementsAre(1U, 3U, 2U));
}

// Case E12.
TEST_F(SweepGridTest, CopiesInTheOrderSeenWithoutWhatIsHidden) {
    grid.sortByColumn(1, Qt::DescendingOrder); // float32: 16, 8, then the one without a time
    EXPECT_EQ(selectedBlockText(grid, true),
              "Batch\tfloat32, ms / step\tmixed_float16, ms / step\tmixed_bfloat16, ms / step\n"
              "16\t79.84\t48\t\n"
              "8\t32\t24\t\n"
              "64\tOOM\tOOM\tOOM\n");
    grid.horizontalHeader()->moveSection(2, 1); // mixed_float16 before float32
    grid.setColumnHidden(3, true);
    EXPECT_EQ(selectedBlockText(grid, true), "Batch\tmixed_float16, ms / step\tfloat32, ms / step\n"
                                             "16\t48\t79.84\n"
                                             "8\t24\t32\n"
                                             "64\tOOM\tOOM\n");
}

TEST_F(SweepGridTest, CopiesABlockThatWasSelectedFromItsLastCell) {
    grid.sortByColumn(1, Qt::DescendingOrder);
    grid.horizontalHeader()->moveSection(2, 1);
    // 3 rows x 2 columns, from bottom right (float32) to top left (mixed_float16).
    const QPoint from = middleOf(2, 1), to = middleOf(0, 2);
    QTest::mousePress(grid.viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(grid.viewport(), (from + to) / 2);
    QTest::mouseMove(grid.viewport(), to);
    QTest::mouseRelease(grid.viewport(), Qt::LeftButton, {}, to);
    QTest::keyClick(&grid, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), "mixed_float16, ms / step\tfloat32, ms / step\n"
                                                 "48\t79.84\n"
                                                 "24\t32\n"
                                                 "OOM\tOOM\n");
    QTest::keyClick(&grid, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), "48\t79.84\n24\t32\nOOM\tOOM\n");
}

TEST_F(SweepGridTest, HolesOfASelectionAreEmptyCells) {
    click(0, 2, Qt::ControlModifier);
    click(2, 1, Qt::ControlModifier);
    click(0, 0, Qt::ControlModifier);
    EXPECT_EQ(selectedBlockText(grid, true), "Batch\tfloat32, ms / step\tmixed_float16, ms / step\n"
                                             "8\t\t24\n"
                                             "\tOOM\t\n");
}

TEST_F(SweepGridTest, TheNewestStateKeepsSelectionAndOrder) {
    grid.sortByColumn(1, Qt::DescendingOrder);
    grid.selectionModel()->select(at(0, 2), QItemSelectionModel::Select);
    grid.setSweep(made());
    EXPECT_TRUE(grid.selectionModel()->isSelected(at(0, 2)));
    EXPECT_EQ(at(0, 0).data().toInt(), 16);
}

const analysis::ArticleMachine& machine(std::size_t index) {
    return analysis::articleMachines().at(index);
}

TEST_F(SweepGridTest, TheArticleStandsBesideOnesOwnAndHasRowsOfItsOwn) {
    grid.setArticle(&machine(0)); // V100
    EXPECT_EQ(grid.model()->rowCount(), 7) << "8, 16, 32, 64, 128, 256, 512";
    EXPECT_EQ(look(2, 2).article, "V100: 28.0 ms, 1.07x faster");
    EXPECT_EQ(look(2, 1).article, "V100: 30.0 ms");
    EXPECT_EQ(look(2, 2).large, "") << "batch 32 was not in the sweep";
    EXPECT_EQ(look(3, 1).article, "V100: 56.0 ms");
    EXPECT_EQ(look(3, 1).large, "OOM");
    EXPECT_EQ(look(3, 3).article, "") << "the article did not have bfloat16";
    grid.setArticle(nullptr);
    EXPECT_EQ(grid.model()->rowCount(), 3);
}

TEST_F(SweepGridTest, SuspectFiguresOfTheArticleBearASign) {
    grid.setArticle(&machine(2)); // Quadro
    EXPECT_EQ(look(5, 2).article, "Quadro M2200: 1000 ms (*)");
    EXPECT_THAT(text(look(5, 2).toolTip), HasSubstr("1000 to 1499 ms"));
    EXPECT_EQ(look(5, 1).article, "Quadro M2200: OOM");
    grid.setArticle(&machine(3)); // CPU
    EXPECT_EQ(look(2, 1).article, "CPU: 321 s (*), 304 s (*)");
    EXPECT_THAT(text(look(2, 1).toolTip), HasSubstr("built for AVX2 and FMA"));
    EXPECT_EQ(articleDoubts(machine(3)).size(), 1);
}

TEST(SweepBars, HaveIntervalsAndSayOomWhereNothingFits) {
    const std::vector<Bar> bars = sweepBars(*made());
    ASSERT_EQ(bars.size(), 9U);
    EXPECT_EQ(bars[0].group, "batch 8");
    EXPECT_DOUBLE_EQ(bars[0].value, 32);
    EXPECT_LE(*bars[0].low, 32);
    EXPECT_EQ(bars[2].note, "–");
    EXPECT_EQ(bars[6].group, "batch 64");
    EXPECT_EQ(bars[6].note, "OOM");
    BarChart chart("Bars", {}, "ms / step", "median_ms", nullptr);
    chart.setBars(bars);
    EXPECT_THAT(text(chart.csv()), HasSubstr("batch 64,float32,,,\n"));
}

TEST(ScalingCurves, DrawEveryPolicyOverTheBatchSize) {
    const MeasuredSweepPtr sweep = made();
    const ScalingCurves time = scalingCurves(*sweep, ScalingView::StepTime);
    ASSERT_EQ(time.looks.size(), 6U) << "low, high and median of two policies";
    EXPECT_EQ(time.looks[2].name, "float32");
    EXPECT_EQ(time.looks[2].column, "float32_median_ms");
    EXPECT_EQ(time.points[5], (std::vector<QPointF>{{8, 24}, {16, 48}}));
    const ScalingCurves images = scalingCurves(*sweep, ScalingView::ImagesPerSecond);
    EXPECT_LE(images.points[3][0].y(), images.points[5][0].y()) << "the low end lies below";
    EXPECT_NEAR(images.points[5][0].y(), 1000.0 / 3, 1e-9);
    const ScalingCurves speed = scalingCurves(*sweep, ScalingView::SpeedUp);
    EXPECT_NEAR(speed.points[5][0].y(), 4.0 / 3, 1e-9);
    EXPECT_EQ(speed.y.title, "times as fast as float32");
    const ScalingCurves memory = scalingCurves(*sweep, ScalingView::Memory);
    EXPECT_EQ(memory.looks[0].column, "float32_predicted_megabytes");
    EXPECT_EQ(memory.points[0].back(), QPointF(64, 640)) << "also of what does not fit";
    EXPECT_EQ(memory.points[1].back(), QPointF(16, 160));
}

} // namespace
