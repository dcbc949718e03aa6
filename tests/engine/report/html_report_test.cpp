#include "engine/report/html_report.h"
#include "engine/report/sweep_sentences.h"
#include "tests/engine/report/made_sweep.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <regex>

namespace halfstep::report {
namespace {
using precision::Policy;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Draws nothing but says what was asked for.
ChartDrawers namingDrawers() {
    return {.ofSweep =
                [](const values::Sweep& sweep, const SweepFigures& figures, std::size_t index) {
                    return std::vector<Drawing>{{"sweep \"chart\"", "<svg id=\"s" + std::to_string(sweep.id) + "-" +
                                                                        std::to_string(figures.size()) + "-" +
                                                                        std::to_string(index) + "\"/>"}};
                },
            .ofRun =
                [](const RunRecord& run, std::size_t index) {
                    return std::vector<Drawing>{
                        {"run", "<svg id=\"r" + std::to_string(run.run.id) + "-" + std::to_string(index) + "\"/>"}};
                },
            .ofRuns =
                [](const std::vector<RunRecord>& runs) {
                    return std::vector<Drawing>{{"runs", "<svg id=\"all" + std::to_string(runs.size()) + "\"/>"}};
                }};
}

/// The values of attributes that a browser would fetch.
std::vector<std::string> fetched(const std::string& html) {
    const std::regex attribute(R"re(\s(?:src|href|xlink:href|data|action|poster|srcset)\s*=\s*"([^"]*)")re");
    std::vector<std::string> values;
    for (std::sregex_iterator match(html.begin(), html.end(), attribute); match != std::sregex_iterator(); ++match) {
        values.push_back((*match)[1]);
    }
    return values;
}

TEST(HtmlReport, ASweepHasItsSentencesTablesChartsAndCommand) {
    const std::string html = htmlReport({.sweeps = {madeSweep("first")}}, namingDrawers());
    EXPECT_THAT(html,
                AllOf(HasSubstr("<h2 id=\"sweep-3\">Sweep 3: first</h2>"),
                      HasSubstr("Batch 8: mixed_float16 has the shortest step, 20.0 ms (20.0 to 20"),
                      HasSubstr("<caption>ms per step, cpu avx2</caption>"), HasSubstr("<svg id=\"s3-4-0\"/>"),
                      HasSubstr("aria-label=\"sweep &quot;chart&quot;\""), HasSubstr("<caption>Cells</caption>"),
                      HasSubstr("<pre><code>halfstep sweep --policies float32,mixed_float16 --batch-sizes 8,32 "
                                "--name first</code></pre>"),
                      HasSubstr("A Processor")));
}

TEST(HtmlReport, ARunHasItsFiguresCurvesWarningsAndCommand) {
    const std::string html = htmlReport({.runs = {madeRun("x")}}, namingDrawers());
    EXPECT_THAT(html, AllOf(HasSubstr("<h2 id=\"run-7\">Run 7: x</h2>"), HasSubstr("<svg id=\"r7-0\"/>"),
                            HasSubstr("1 of 6 steps were skipped"), HasSubstr("<td>val_accuracy</td><td>0.7000</td>"),
                            HasSubstr("<pre><code>halfstep train --name x --policy mixed_float16")));
    EXPECT_THAT(html, Not(HasSubstr("side by side"))) << "there is only one";
}

TEST(HtmlReport, RunsStandSideBySideAndEverythingIsInTheContents) {
    RunRecord other = madeRun("y");
    other.run.id = 8;
    const std::string html = htmlReport({.sweeps = {madeSweep()}, .runs = {madeRun("x"), other}}, namingDrawers());
    EXPECT_THAT(html, AllOf(HasSubstr("<title>Halfstep: 1 sweep and 2 runs</title>"), HasSubstr("Runs side by side"),
                            HasSubstr("<svg id=\"all2\"/>"), HasSubstr("<svg id=\"r8-1\"/>")));
    EXPECT_THAT(fetched(html), ElementsAre("#sweep-3", "#run-7", "#run-8"));
}

TEST(HtmlReport, WithoutDrawersItSaysThatChartsAreLeftOut) {
    EXPECT_THAT(htmlReport({.sweeps = {madeSweep()}}, {}),
                AllOf(HasSubstr("The charts are left out"), Not(HasSubstr("<figure"))));
    EXPECT_THAT(htmlReport({.sweeps = {madeSweep()}}, namingDrawers()), Not(HasSubstr("left out: this program")));
}

TEST(HtmlReport, HostileNamesStayTextAndNothingIsFetched) {
    const std::string hostile = "</title><script src=\"http://x.example/a.js\"></script>`<img src=x onerror=y>`'\"";
    values::Sweep sweep = madeSweep(hostile);
    sweep.dataName = hostile;
    sweep.message = hostile;
    sweep.config.base.data = hostile;
    RunRecord run = madeRun(hostile);
    run.run.message = hostile;
    run.run.status = values::RunStatus::Failed;
    run.run.dataName = hostile;
    const std::string html = htmlReport({.sweeps = {sweep}, .runs = {run}}, namingDrawers());
    EXPECT_THAT(html, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<img")), Not(HasSubstr("src=\""))));
    EXPECT_THAT(fetched(html), ElementsAre("#sweep-3", "#run-7"));
    EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(SweepSentences, TheFastestPolicyOfEveryBatchSizeIsNamedWithItsInterval) {
    const values::Sweep sweep = madeSweep();
    const auto sentences = sweepSentences(sweep, analysis::figuresOf(sweep));
    ASSERT_EQ(sentences.size(), 3U);
    EXPECT_THAT(sentences[0], AllOf(HasSubstr("Batch 8: mixed_float16 has the shortest step, 20.0 ms (20.0 to 20"),
                                    HasSubstr("It is 2.00x faster ("), Not(HasSubstr("No difference"))));
    EXPECT_THAT(sentences[1], testing::StartsWith("Batch 32: float32 takes 160 ms (160 to 16"));
    EXPECT_EQ(sentences[2], "Out of memory: mixed_float16 at batch 32 (25 fits).");
}

TEST(SweepSentences, WhereIntervalsMeetNoDifferenceIsShown) {
    values::Sweep sweep = madeSweep();
    sweep.cells[1] = timedCell(Policy::MixedFloat16, 8, 39.9);
    const auto sentences = sweepSentences(sweep, analysis::figuresOf(sweep));
    EXPECT_THAT(sentences[0], AllOf(HasSubstr("mixed_float16 has the shortest step"),
                                    HasSubstr("No difference is shown to float32, 40.0 ms")));
}

TEST(SweepSentences, AMachineThatDriftsHidesNoDifferenceThatEveryRoundShows) {
    values::Sweep sweep = madeSweep();
    for (std::size_t round = 0; round < 3; ++round) { // 100, 105, 110 ms, and 3 % less
        const double float32 = 100 + 5 * static_cast<double>(round);
        sweep.cells[0].rounds[round].stepMilliseconds = {float32, float32, float32};
        sweep.cells[1].rounds[round].stepMilliseconds = {0.97 * float32, 0.97 * float32, 0.97 * float32};
    }
    const auto sentences = sweepSentences(sweep, analysis::figuresOf(sweep));
    EXPECT_THAT(sentences[0], AllOf(HasSubstr("mixed_float16 has the shortest step"), HasSubstr("1.03x faster"),
                                    Not(HasSubstr("No difference"))));
}

TEST(SweepSentences, ACellThatCannotBeTrustedHasNotTheShortestStep) {
    values::Sweep sweep = madeSweep();
    sweep.cells[1].rounds[1].otherShare = 0.5; // mixed_float16 at batch 8
    const auto sentences = sweepSentences(sweep, analysis::figuresOf(sweep));
    EXPECT_THAT(sentences[0], testing::StartsWith("Batch 8: float32 takes 40.0 ms"));
    EXPECT_THAT(sentences.back(), HasSubstr("mixed_float16 at batch 8."));
}

TEST(SweepSentences, DisturbedCellsComeWithTheCommandThatMeasuresThemAgain) {
    values::Sweep sweep = madeSweep();
    sweep.cells[0].rounds[1].otherShare = 0.5;
    sweep.cells[2].rounds[1].otherShare = 0.5;
    EXPECT_THAT(
        sweepSentences(sweep, analysis::figuresOf(sweep)).back(),
        AllOf(HasSubstr("float32 at batch 8, 32."), HasSubstr("`halfstep sweep --resume 3 --again disturbed`")));
}

} // namespace
} // namespace halfstep::report
