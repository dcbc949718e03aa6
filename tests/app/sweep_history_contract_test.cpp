#include "tests/app/workplace.h"

namespace halfstep::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

class SweepHistoryContract : public Workplace {
protected:
    /// Sweep 1: two policies, batch 9, two rounds.
    Json madeSweep() const {
        return jsonOf(smallSweep({"--policies", "float32,mixed_float16", "--name", "a|b", "--json"}, "9"));
    }
};

TEST_F(SweepHistoryContract, SweepsAreListedBesideTheRuns) {
    madeSweep();
    const std::string alone = run({"runs", "list"}).out;
    EXPECT_THAT(alone, StartsWith("sweep  status"));
    EXPECT_THAT(alone, AllOf(HasSubstr("   s1  finished"), HasSubstr("2 of 2"), HasSubstr("photographs"),
                             HasSubstr("a|b"), Not(HasSubstr("val_acc"))));
    ASSERT_EQ(run(smallRun({"--steps", "1"})).exitCode, 0);
    EXPECT_THAT(run({"runs", "list"}).out, AllOf(HasSubstr("val_acc"), HasSubstr("\n\nsweep  status")));

    const Json list = jsonOf({"runs", "list", "--json"});
    EXPECT_EQ(list.at("runs").size(), 1U);
    ASSERT_EQ(list.at("sweeps").size(), 1U);
    EXPECT_EQ(list.at("sweeps").at(0).at("sweep"), 1);
    EXPECT_EQ(list.at("sweeps").at(0).at("cells"), 2);
    EXPECT_EQ(list.at("sweeps").at(0).at("rounds_done"), 2);
    EXPECT_EQ(list.at("sweeps").at(0).at("config").at("base").at("name"), "a|b");
}

TEST_F(SweepHistoryContract, ASweepIsShownExportedAndDeleted) {
    const Json made = madeSweep();
    const std::string shown = run({"runs", "show", "s1"}).out;
    EXPECT_THAT(shown, AllOf(HasSubstr("finished"), HasSubstr("ms/step"), HasSubstr("mixed_float16"),
                             HasSubstr("halfstep sweep --policies float32,mixed_float16 --batch-sizes 9 --steps 2")));
    EXPECT_EQ(jsonOf({"runs", "show", "s1", "--json"}), made);

    const Ended exported = run({"runs", "export", "s1", "--csv", file("c.csv"), "--json", file("c.json"),
                                "--markdown", file("c.md"), "--latex", file("c.tex")});
    ASSERT_EQ(exported.exitCode, 0) << exported.err;
    EXPECT_EQ(Json::parse(contentOf("c.json")), made);
    EXPECT_EQ(linesOf("c.csv").size(), 3U);
    EXPECT_THAT(contentOf("c.md"), AllOf(StartsWith("## Sweep 1: a\\|b\n"), HasSubstr("| batch size | float32 |"),
                                         HasSubstr("### Measured with")));
    EXPECT_THAT(contentOf("c.tex"), AllOf(HasSubstr("mixed\\_float16"), HasSubstr("\\end{tabular}")));

    EXPECT_EQ(run({"runs", "delete", "s1"}).exitCode, 0);
    EXPECT_EQ(jsonOf({"runs", "list", "--json"}).at("sweeps").size(), 0U);
}

TEST_F(SweepHistoryContract, TheFilesOfTheSweepAreThoseOfALaterExport) {
    ASSERT_EQ(run(smallSweep({"--policies", "float32", "--csv", file("a.csv"), "--markdown", file("a.md"), "--latex",
                              file("a.tex")},
                             "9"))
                  .exitCode,
              0);
    ASSERT_EQ(
        run({"runs", "export", "s1", "--csv", file("b.csv"), "--markdown", file("b.md"), "--latex", file("b.tex")})
            .exitCode,
        0);
    for (const char* ending : {".csv", ".md", ".tex"}) {
        EXPECT_EQ(contentOf(std::string("a") + ending), contentOf(std::string("b") + ending));
        EXPECT_GT(contentOf(std::string("a") + ending).size(), 100U);
    }
}

TEST_F(SweepHistoryContract, ARunHasMarkdownAndLatexToo) {
    ASSERT_EQ(run(smallRun({"--steps", "3", "--name", "my_run"})).exitCode, 0);
    ASSERT_EQ(run({"runs", "export", "1", "--markdown", file("r.md"), "--latex", file("r.tex")}).exitCode, 0);
    EXPECT_THAT(contentOf("r.md"), AllOf(StartsWith("## Run 1: my_run\n"), HasSubstr("val_accuracy")));
    EXPECT_THAT(contentOf("r.tex"), HasSubstr("my\\_run"));
}

TEST_F(SweepHistoryContract, CellsAreMeasuredAnew) {
    const Json made = madeSweep();
    const Json again = jsonOf({"sweep", "--resume", "s1", "--again", "mixed_float16:9", "--json"});
    EXPECT_EQ(again.at("cells").at(0).at("rounds"), made.at("cells").at(0).at("rounds"));
    EXPECT_NE(again.at("cells").at(1).at("rounds"), made.at("cells").at(1).at("rounds"));
    EXPECT_EQ(again.at("cells").at(1).at("rounds").size(), 2U);
    refuses({"sweep", "--resume", "1", "--again", "mixed_float16:10"}, 2, "Sweep 1 has no cell mixed_float16:10");
    const Json disturbed = jsonOf({"sweep", "--resume", "1", "--again", "disturbed", "--json"});
    for (const std::size_t cell : {0U, 1U}) {
        const bool wasDisturbed = again.at("cells").at(cell).at("status") == "disturbed";
        EXPECT_EQ(disturbed.at("cells").at(cell).at("rounds") != again.at("cells").at(cell).at("rounds"),
                  wasDisturbed);
    }
}

TEST_F(SweepHistoryContract, AFullDiskIsOneSentenceAndTheSweepIsKept) {
    const Ended swept = run(smallSweep({"--policies", "float32", "--csv", "/dev/full"}, "9"));
    EXPECT_EQ(swept.exitCode, 1);
    EXPECT_THAT(swept.err,
                AllOf(HasSubstr("/dev/full\" could not be written: disk full"), HasSubstr("bytes needed")));
    EXPECT_THAT(swept.out, HasSubstr("Sweep 1, finished")) << "what was measured is printed all the same";
    for (const char* kind : {"--csv", "--json", "--markdown", "--latex"}) {
        refuses({"runs", "export", "s1", kind, "/dev/full"}, 1, "disk full");
    }
}

TEST_F(SweepHistoryContract, AnExportThatMayNotGrowLeavesTheOldFile) {
    ASSERT_EQ(run(smallSweep({"--synthetic"}, "1,2,3,4,5,6,7,8")).exitCode, 0);
    ASSERT_EQ(run({"runs", "export", "s1", "--json", file("s.json")}).exitCode, 0);
    const std::string before = contentOf("s.json");
    ASSERT_GT(before.size(), 40'000U);
    Program::Options options = this->options();
    options.largestFile = 40'000; // the history opens with less, this export takes more
    const Ended ended = Program({"runs", "export", "s1", "--json", file("s.json")}, options).end();
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.err, HasSubstr("s.json\" could not be written"));
    EXPECT_EQ(contentOf("s.json"), before);
}

TEST_F(SweepHistoryContract, AnIdThatIsNoneIsOneSentence) {
    for (const char* wrong : {"x", "s", "0", "s0", "1.5", ""}) {
        refuses({"runs", "show", wrong}, 2,
                "ID takes the number of a run, such as 3, or s and the number of a sweep");
    }
    for (const std::vector<std::string>& command : {std::vector<std::string>{"runs", "show", "s7"},
                                                    {"runs", "delete", "s7"},
                                                    {"runs", "export", "s7", "--csv", file("x.csv")}}) {
        refuses(command, 1, "no sweep 7");
    }
    refuses({"runs", "export", "s7", "--weights", file("x")}, 2, "are of runs");
    refuses({"runs", "export", "s7"}, 2, "of a sweep needs --csv FILE");
    EXPECT_FALSE(std::filesystem::exists(*this / "x.csv"));
}

} // namespace
} // namespace halfstep::app
