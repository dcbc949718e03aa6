#include "tests/app/workplace.h"

namespace halfstep::app {
namespace {
using testing::HasSubstr;

class RunsContract : public Workplace {};

TEST_F(RunsContract, AnEmptyHistoryIsAnEmptyList) {
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 0u);
    EXPECT_THAT(run({"runs", "list"}).out, HasSubstr("No run yet"));
}

TEST_F(RunsContract, RunsAreListedShownExportedAndDeleted) {
    ASSERT_EQ(run(smallRun({"--steps", "3", "--name", "first"})).exitCode, 0);
    ASSERT_EQ(run(smallRun({"--steps", "1", "--policy", "mixed_bfloat16"})).exitCode, 0);

    const auto runs = jsonOf({"runs", "list", "--json"})["runs"];
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0]["run"], 2) << "newest first";
    EXPECT_EQ(runs[1]["config"]["name"], "first");
    EXPECT_EQ(runs[1]["epochs_log"].size(), 1u);
    const std::string list = run({"runs", "list"}).out;
    EXPECT_THAT(list, testing::AllOf(HasSubstr("mixed_bfloat16"), HasSubstr("first"), HasSubstr("photographs")));

    const std::string shown = run({"runs", "show", "1"}).out;
    EXPECT_THAT(shown, testing::AllOf(HasSubstr("finished"), HasSubstr("float32"), HasSubstr("val_loss")));

    ASSERT_EQ(run({"runs", "export", "1", "--json", file("run.json")}).exitCode, 0);
    const auto exported = nlohmann::json::parse(contentOf("run.json"));
    EXPECT_EQ(exported["steps_log"].size(), 3u);
    EXPECT_EQ(exported["data_name"], "photographs");

    EXPECT_EQ(run({"runs", "delete", "1"}).exitCode, 0);
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 1u);
}

TEST_F(RunsContract, ARunThatIsNotThereEndsWithOne) {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"runs", "show", "7"},
                                                    {"runs", "delete", "7"},
                                                    {"runs", "export", "7", "--csv", file("x.csv")}}) {
        const Ended ended = run(command);
        EXPECT_EQ(ended.exitCode, 1);
        EXPECT_THAT(ended.err, HasSubstr("no run 7"));
    }
    EXPECT_FALSE(std::filesystem::exists(*this / "x.csv"));
}

TEST_F(RunsContract, TheHistoryOptionMayFollowTheCommandOrComeFirst) {
    const std::string other = file("other.sqlite");
    ASSERT_EQ(run(smallRun({"--steps", "1", "--history", other})).exitCode, 0);
    EXPECT_EQ(jsonOf({"--history", other, "runs", "list", "--json"})["runs"].size(), 1u);
    EXPECT_EQ(jsonOf({"runs", "list", "--json", "--history=" + other})["runs"].size(), 1u);
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 0u);
}

TEST_F(RunsContract, ADamagedHistoryEndsWithOneAndTheFilesName) {
    ASSERT_EQ(run({"runs", "list"}).exitCode, 0);
    std::filesystem::resize_file(*this / "runs.sqlite", 5000);
    const Ended ended = run({"runs", "list"});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.err, HasSubstr("runs.sqlite"));
}

} // namespace
} // namespace halfstep::app
