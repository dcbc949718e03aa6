#include "engine/report/run_tables.h"
#include "tests/engine/report/made_sweep.h"
#include <gmock/gmock.h>

namespace halfstep::report {
namespace {
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(RunTables, SettingsStandUnderTheirSerializedNames) {
    const Table table = settingsTable(madeRun("first"));
    EXPECT_THAT(table.rows, Contains(ElementsAre("name", "first")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("policy", "mixed_float16")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("batch_size", "16")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("epsilon", "1e-07")));
    EXPECT_THAT(table.rows, Not(Contains(Contains("")))) << "what is not set is left out";
}

TEST(RunTables, FiguresAreThoseOfTheLastEpoch) {
    const Table table = figuresTable(madeRun());
    EXPECT_THAT(table.rows, Contains(ElementsAre("steps", "6 (1 skipped)")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("loss", "1.0000")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("val_accuracy", "0.7000")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("median ms per step", "12.5")));
    EXPECT_THAT(table.rows, Contains(ElementsAre("images per second", "1280.0")));
    EXPECT_EQ(epochsTable(madeRun()).rows.at(1),
              (std::vector<std::string>{"2", "1.0000", "0.8000", "1.1250", "0.7000", "1.5"}));
}

TEST(RunTables, AnEpochThatWasNotCompletedCounts) {
    RunRecord record = madeRun();
    record.run.loss = 0.5;
    record.run.accuracy = 0.875;
    EXPECT_THAT(figuresTable(record).rows, Contains(ElementsAre("loss", "0.5000")));
    EXPECT_THAT(figuresTable(record).rows, Contains(ElementsAre("accuracy", "0.8750")));
}

TEST(RunTables, WarningsSayWhatAReaderShouldKnow) {
    RunRecord record = madeRun();
    EXPECT_THAT(warningsOf(record), ElementsAre("1 of 6 steps were skipped, since their gradients were not finite."));
    record.run.status = values::RunStatus::Diverged;
    record.run.message = "Diverged at step 6.";
    record.run.config.policy = precision::Policy::Float16;
    record.steps[0].lostUpdates = 0.5;
    EXPECT_THAT(warningsOf(record), AllOf(Contains("The run is diverged: Diverged at step 6."),
                                          Contains("Rounding took away 50.0 % of the weights' updates."),
                                          Contains(HasSubstr("16 bits"))));
}

TEST(RunTables, RunsStandBesideEachOther) {
    const Table table = runsTable({madeRun("a"), madeRun("b")});
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_THAT(table.rows[0], ElementsAre("7", "mixed_float16", "16", "256", "1", "avx2", "finished", "2", "6",
                                           "1.0000", "0.8000", "1.1250", "0.7000", "12.5", "5.0 MiB", "a"));
}

TEST(RunTables, ARunIsOneFileOfTables) {
    EXPECT_THAT(runMarkdown(madeRun("<b>")),
                AllOf(testing::StartsWith("## Run 7: \\<b\\>\n"), HasSubstr("### Figures"), HasSubstr("### Epochs"),
                      HasSubstr("1 of 6 steps were skipped")));
    EXPECT_THAT(runLatex(madeRun()), AllOf(testing::StartsWith("% Run 7\n"), HasSubstr("val\\_accuracy & 0.7000")));
}

} // namespace
} // namespace halfstep::report
