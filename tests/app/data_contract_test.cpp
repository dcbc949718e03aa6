#include "tests/app/workplace.h"
#include <fstream>

namespace halfstep::app {
namespace {
using testing::HasSubstr;

class DataContract : public Workplace {};

TEST_F(DataContract, InfoCountsClassesAndSplits) {
    const auto info = jsonOf({"data", "info", pictures(), "--image-size", "32", "--json"});
    ASSERT_EQ(info["classes"].size(), 2u);
    EXPECT_EQ(info["classes"][0]["name"], "bright");
    EXPECT_EQ(info["classes"][0]["wnid"], "");
    EXPECT_EQ(info["classes"][0]["train"], 12);
    EXPECT_EQ(info["classes"][1]["val"], 4);
    EXPECT_EQ(info["found"], 32);
    EXPECT_EQ(info["used"], 32);
    EXPECT_EQ(info["skipped"].size(), 0u);
    EXPECT_EQ(info["mean"].size(), 3u);
    EXPECT_THAT(run({"data", "info", pictures(), "--image-size", "32"}).out, HasSubstr("bright"));
}

TEST_F(DataContract, CheckNamesEveryFileThatCannotBeUsedWithTheReason) {
    const std::string set = pictures();
    std::ofstream(std::filesystem::path(set) / "train/dark/broken.png") << "no picture";
    const auto check = jsonOf({"data", "check", set, "--image-size", "32", "--json"});
    EXPECT_EQ(check["found"], 33);
    EXPECT_EQ(check["used"], 32);
    ASSERT_EQ(check["skipped"].size(), 1u);
    EXPECT_EQ(check["skipped"][0]["path"], "train/dark/broken.png");
    EXPECT_NE(check["skipped"][0]["reason"], "");
    const Ended text = run({"data", "check", set, "--image-size", "32"});
    EXPECT_THAT(text.out, HasSubstr("train/dark/broken.png: "));
    const Ended trained = run(smallRun({"--steps", "1"}));
    EXPECT_EQ(trained.exitCode, 0) << "files that cannot be read never stop a run";
    EXPECT_THAT(trained.err, HasSubstr("broken.png"));
}

TEST_F(DataContract, DataThatCannotBeUsedEndWithThree) {
    std::filesystem::create_directories(*this / "empty");
    std::ofstream(*this / "file.tgz") << "no archive";
    for (const std::string& source : {file("missing"), file("empty"), file("file.tgz")}) {
        for (const char* command : {"info", "check"}) {
            const Ended ended = run({"data", command, source});
            EXPECT_EQ(ended.exitCode, 3) << source;
            EXPECT_THAT(ended.err, HasSubstr("halfstep: "));
        }
        EXPECT_EQ(run({"train", "--data", source}).exitCode, 3);
    }
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 0u) << "no run was begun";
}

TEST_F(DataContract, TheSampleIsAlwaysThere) {
    Program::Options shared = options();
    shared.environment["HALFSTEP_CACHE"] = HALFSTEP_SHARED_CACHE; // drawing it takes a while: once for all test runs
    const Ended ended = Program({"train", "--image-size", "32", "--steps", "2", "--json"}, shared).end();
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const auto summary = nlohmann::ordered_json::parse(ended.out);
    EXPECT_EQ(summary["steps"], 2);
    EXPECT_EQ(summary["config"]["data"], "sample");
    EXPECT_THAT(run({"runs", "list"}).out, HasSubstr("drawn sample"));
}

} // namespace
} // namespace halfstep::app
