#include "engine/report/sweep_tables.h"
#include "tests/engine/report/made_sweep.h"
#include <gmock/gmock.h>

namespace halfstep::report {
namespace {
using precision::Policy;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(SweepTables, AGridHasARowABatchSizeAndAColumnAPolicy) {
    const values::Sweep sweep = madeSweep();
    const auto grids = gridTables(sweep, analysis::figuresOf(sweep));
    ASSERT_EQ(grids.size(), 1U);
    EXPECT_EQ(grids[0].title, "ms per step, cpu avx2");
    ASSERT_EQ(grids[0].columns.size(), 3U);
    EXPECT_EQ(grids[0].columns[2].title, "mixed_float16");
    ASSERT_EQ(grids[0].rows.size(), 2U);
    EXPECT_EQ(grids[0].rows[0][0], "8");
    EXPECT_THAT(grids[0].rows[0][1], AllOf(HasSubstr("40.0 (40.0 to 40"), HasSubstr("), baseline")));
    EXPECT_THAT(grids[0].rows[0][2], AllOf(HasSubstr("20.0 (20.0 to 20"), HasSubstr("), 2.00x faster")));
    EXPECT_EQ(grids[0].rows[1][2], "OOM");
}

TEST(SweepTables, EveryDeviceAndInstructionSetHasAGridOfItsOwn) {
    values::Sweep sweep = madeSweep();
    for (std::size_t i = 0; i < 4; ++i) {
        values::SweepCell cell = sweep.cells[i];
        cell.key.isa = "sse4";
        cell.isa = "sse4";
        sweep.cells.push_back(cell);
    }
    const auto grids = gridTables(sweep, analysis::figuresOf(sweep));
    ASSERT_EQ(grids.size(), 2U);
    EXPECT_EQ(grids[1].title, "ms per step, cpu sse4");
    EXPECT_EQ(grids[1].rows, grids[0].rows);
}

TEST(SweepTables, ACellThatWasNotMeasuredSaysWhy) {
    values::Sweep sweep = madeSweep();
    sweep.cells[3].status = values::CellStatus::Unsupported;
    sweep.cells[1].rounds[2].otherShare = 0.5;
    const auto grid = gridTables(sweep, analysis::figuresOf(sweep)).at(0);
    EXPECT_EQ(grid.rows[1][2], "unsupported");
    EXPECT_THAT(grid.rows[0][2], HasSubstr("2.00x faster, disturbed"));
    sweep.cells.erase(sweep.cells.begin() + 2);
    EXPECT_EQ(gridTables(sweep, analysis::figuresOf(sweep)).at(0).rows[1][1], "-");
}

TEST(SweepTables, TheCellsHaveAllFiguresAndWhatIsToBeKnownOfThem) {
    const values::Sweep sweep = madeSweep();
    const Table table = cellsTable(sweep, analysis::figuresOf(sweep));
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_THAT(table.rows[1],
                ElementsAre("mixed_float16", "cpu", "avx2", "8", "ok", "20.0", HasSubstr(" to "), "20.0 to 20.1",
                            "400.0", "12", "0.25", "3", "3.0 MiB", "3.0 MiB", "-", HasSubstr("2.00x faster (")));
    EXPECT_THAT(table.rows[3], ElementsAre("mixed_float16", "cpu", "avx2", "32", "oom", "-", "-", "-", "-", "-", "-",
                                           "-", "-", "-", "25", "-"));
    EXPECT_THAT(table.notes, ElementsAre("36 timed steps; 9 warm-up steps, 4.5 s together, are left out.",
                                         "mixed_float16, batch 32, cpu auto: Out of memory: a batch of 25 fits."));
}

TEST(SweepTables, TheEnvironmentSaysWhatItWasMeasuredWith) {
    const Table table = environmentTable(madeSweep());
    EXPECT_THAT(table.rows, Contains(ElementsAre("processor", "A Processor")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("clock governor", "performance")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("clock, MHz", "3000")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("load average before a round", "0.50 to 1.50")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("rounds", "3, in orders of seed 1")));
    EXPECT_THAT(table.rows, Not(Contains(Contains(""))));
}

TEST(SweepTables, ANameCannotBreakOutOfAFile) {
    const values::Sweep sweep = madeSweep("<script>|\\_\n# x %\n\\end{tabular}");
    const std::string markdown = sweepMarkdown(sweep);
    EXPECT_EQ(markdown.substr(0, markdown.find('\n')),
              "## Sweep 3: \\<script\\>\\|\\\\\\_ \\# x % \\\\end\\{tabular\\}");
    EXPECT_THAT(markdown, Not(HasSubstr("<script>")));
    const std::string latex = sweepLatex(sweep);
    EXPECT_THAT(latex.substr(0, latex.find('\n')), testing::StartsWith("% Sweep 3: \\textless{}script"));
    EXPECT_THAT(latex, testing::Not(HasSubstr("\\end{tabular}\\\n")));
}

TEST(SweepTables, ASweepWithoutCellsIsATableWithoutRows) {
    values::Sweep sweep;
    sweep.id = 1;
    EXPECT_THAT(sweepMarkdown(sweep), AllOf(HasSubstr("## Sweep 1"), HasSubstr("0 timed steps")));
    EXPECT_TRUE(gridTables(sweep, {}).empty());
}

} // namespace
} // namespace halfstep::report
