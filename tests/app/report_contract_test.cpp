#include "tests/app/workplace.h"
#include <algorithm>

namespace halfstep::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ReportContract : public Workplace {
protected:
    void makeSweepAndRun() const {
        ASSERT_EQ(run(smallSweep({"--policies", "float32,mixed_float16", "--name", "<b>"}, "9")).exitCode, 0);
        ASSERT_EQ(run(smallRun({"--steps", "4"})).exitCode, 0);
    }
    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(*this / ""), std::filesystem::directory_iterator()));
    }
};

TEST_F(ReportContract, SweepsAndRunsAreOneFile) {
    makeSweepAndRun();
    const Ended ended = run({"report", "s1", "1", "--output", file("report.html")});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("report.html: 1 sweep and 1 run written."));
    EXPECT_THAT(ended.err, Not(HasSubstr("Qt")));
    const std::string html = contentOf("report.html");
    EXPECT_THAT(html, AllOf(StartsWith("<!DOCTYPE html>\n"), HasSubstr("Sweep 1: &lt;b&gt;"), HasSubstr("Run 1"),
                            HasSubstr("halfstep train --data "), HasSubstr("</html>\n"), Not(HasSubstr("<b>"))));
#ifdef HALFSTEP_UI
    EXPECT_THAT(html, AllOf(HasSubstr("<svg "), Not(HasSubstr("charts are left out"))));
#else
    EXPECT_THAT(html, AllOf(HasSubstr("charts are left out"), Not(HasSubstr("<svg "))));
    EXPECT_THAT(ended.err, HasSubstr("charts are left out"));
#endif
}

TEST_F(ReportContract, TheSameHistoryGivesTheSameBytes) {
    makeSweepAndRun();
    ASSERT_EQ(run({"report", "1", "s1", "--output", file("a.html")}).exitCode, 0);
    ASSERT_EQ(run({"report", "1", "s1", "--output", file("b.html")}).exitCode, 0);
    EXPECT_EQ(contentOf("a.html"), contentOf("b.html"));
}

TEST_F(ReportContract, ItsCommandMeasuresTheSameCells) {
    makeSweepAndRun();
    const auto before = jsonOf({"runs", "show", "s1", "--json"});
    ASSERT_EQ(run({"report", "s1", "--output", file("r.html")}).exitCode, 0);
    const std::string html = contentOf("r.html");
    const std::string mark = "<pre><code>halfstep ";
    const std::size_t begin = html.find(mark) + mark.size();
    std::string command = html.substr(begin, html.find("</code>", begin) - begin);
    for (const auto& [escaped, plain] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&#39;", "'"}, {"&amp;", "&"}}) {
        for (std::size_t at; (at = command.find(escaped)) != std::string::npos;) {
            command.replace(at, std::string_view(escaped).size(), plain);
        }
    }
    const std::string line = "HALFSTEP_CACHE='" + file("cache") + "' HALFSTEP_HISTORY='" + file("runs.sqlite") +
                             "' '" HALFSTEP_PROGRAM "' " + command + " > '" + file("out") + "' 2>&1";
    ASSERT_EQ(std::system(line.c_str()), 0) << contentOf("out");
    const auto after = jsonOf({"runs", "show", "s2", "--json"});
    EXPECT_EQ(after.at("config"), before.at("config"));
}

#ifdef HALFSTEP_UI // without charts a report is smaller than the history's own files, which have to be written
TEST_F(ReportContract, AFullDiskIsOneSentenceAndLeavesNothing) {
    makeSweepAndRun();
    const std::size_t before = entries();
    Program::Options options = this->options();
    options.largestFile = 40'000; // the history's own files are smaller, the report is not
    const Ended ended = Program({"report", "s1", "1", "--output", file("r.html")}, options).end();
    EXPECT_EQ(ended.exitCode, 1) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("r.html\" could not be written"));
    EXPECT_EQ(entries(), before + 2) << "besides its standard output and error nothing, half-written or whole";
}

TEST_F(ReportContract, AFileThatIsThereStaysWhereTheNewOneCannotBeWritten) {
    makeSweepAndRun();
    ASSERT_EQ(run({"report", "s1", "--output", file("r.html")}).exitCode, 0);
    const std::string before = contentOf("r.html");
    Program::Options options = this->options();
    options.largestFile = 40'000;
    EXPECT_EQ(Program({"report", "s1", "1", "--output", file("r.html")}, options).end().exitCode, 1);
    EXPECT_EQ(contentOf("r.html"), before);
}
#endif

TEST_F(ReportContract, BadInputIsOneSentence) {
    refuses({"report", "--output", file("r.html")}, 2, "id");
    refuses({"report", "s1"}, 2, "--output");
    refuses({"report", "x", "--output", file("r.html")}, 2, "ID takes the number of a run");
    refuses({"report", "s1", "s1", "--output", file("r.html")}, 2, "s1 stands twice");
    refuses({"report", "s1", "--output", file("r.html")}, 1, "There is no sweep 1");
    refuses({"report", "9", "--output", file("r.html")}, 1, "There is no run 9");
    EXPECT_FALSE(std::filesystem::exists(*this / "r.html"));
    makeSweepAndRun();
    refuses({"report", "s1", "--output", "/no/such/folder/r.html"}, 1,
            "/no/such/folder/r.html\" could not be written");
}

} // namespace
} // namespace halfstep::app
