#include "app/cli/command_line.h"
#include <cstdlib>
#include <gmock/gmock.h>

namespace halfstep::app {
namespace {
using testing::ElementsAre;

bool wants(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "halfstep");
    return wantsWindow(static_cast<int>(arguments.size()), arguments.data());
}

TEST(WindowChoice, IsMadeWithoutACommand) {
    EXPECT_TRUE(wants({}));
    EXPECT_TRUE(wants({"--history", "runs.sqlite"}));
    EXPECT_TRUE(wants({"--cache-dir=/tmp", "-platform", "offscreen"}));
    EXPECT_TRUE(wants({"--screenshots", "folder"}));
}

TEST(WindowChoice, IsNotMadeWithACommandOrAMistake) {
    EXPECT_FALSE(wants({"train"}));
    EXPECT_FALSE(wants({"--history", "runs.sqlite", "runs", "list"}));
    EXPECT_FALSE(wants({"--help"}));
    EXPECT_FALSE(wants({"-h"}));
    EXPECT_FALSE(wants({"-V"}));
    EXPECT_FALSE(wants({"--version"}));
    EXPECT_FALSE(wants({"--nonsense"}));
    EXPECT_FALSE(wants({"--history"}));
    EXPECT_FALSE(wants({"trian"}));
    EXPECT_FALSE(wants({""}));
}

TEST(WindowChoice, PlacesReachTheWindowThroughTheEnvironment) {
    std::vector<std::string> texts{"halfstep", "--history", "h.sqlite", "-platform", "offscreen", "--cache-dir=/c"};
    std::vector<char*> argv;
    for (std::string& text : texts) {
        argv.push_back(text.data());
    }
    argv.push_back(nullptr);
    const int count = passPlacesToWindow(static_cast<int>(texts.size()), argv.data());
    ASSERT_EQ(count, 3);
    EXPECT_THAT((std::vector<std::string>(argv.begin(), argv.begin() + 3)),
                ElementsAre("halfstep", "-platform", "offscreen"));
    EXPECT_STREQ(std::getenv("HALFSTEP_HISTORY"), "h.sqlite");
    EXPECT_STREQ(std::getenv("HALFSTEP_CACHE"), "/c");
}

} // namespace
} // namespace halfstep::app
