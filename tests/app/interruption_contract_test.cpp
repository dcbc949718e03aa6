#include "tests/app/workplace.h"
#include <algorithm>
#include <csignal>

namespace halfstep::app {
namespace {
using testing::HasSubstr;

/// A long run that is cut off in one way or another after its first epoch.
class Interruption : public Workplace {
protected:
    std::vector<std::string> longRun() {
        return smallRun({"--epochs", "10000", "--csv", file("steps.csv"), "--json"});
    }

    void expectStoppedAndKept(const Ended& ended) {
        EXPECT_EQ(ended.exitCode, 130) << ended.err;
        const auto summary = nlohmann::ordered_json::parse(ended.out, nullptr, false);
        EXPECT_EQ(summary["status"], "stopped");
        EXPECT_GE(summary["epochs"], 1);
        const auto steps = summary["steps"].get<std::size_t>();
        EXPECT_GE(steps, 3u);
        EXPECT_EQ(linesOf("steps.csv").size(), steps + 1);
        EXPECT_EQ(run({"runs", "export", "1", "--csv", file("export.csv")}).exitCode, 0);
        EXPECT_EQ(contentOf("export.csv"), contentOf("steps.csv"));
        EXPECT_EQ(jsonOf({"runs", "show", "1", "--json"})["status"], "stopped");
    }
};

class StoppingSignal : public Interruption, public testing::WithParamInterface<int> {};

TEST_P(StoppingSignal, EndsAfterTheStepWithEverythingKept) {
    Program program(longRun(), options());
    ASSERT_TRUE(program.waitForError("Epoch 2/"));
    program.send(GetParam());
    expectStoppedAndKept(program.end());
}

INSTANTIATE_TEST_SUITE_P(All, StoppingSignal, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_F(Interruption, ABackgroundJobOfAShellListensToo) {
    Program::Options background = options();
    background.ignoresInterrupt = true;
    Program program(longRun(), background);
    ASSERT_TRUE(program.waitForError("Epoch 2/"));
    program.send(SIGINT);
    expectStoppedAndKept(program.end());
}

TEST_F(Interruption, AKilledRunIsInterruptedAndKeepsItsSteps) {
    Program program(longRun(), options());
    ASSERT_TRUE(program.waitForError("Epoch 3/"));
    EXPECT_EQ(jsonOf({"runs", "show", "1", "--json"})["status"], "running");
    EXPECT_EQ(run({"runs", "delete", "1"}).exitCode, 1) << "it is still running";
    program.send(SIGKILL);
    EXPECT_EQ(program.end().signal, SIGKILL);

    const auto shown = jsonOf({"runs", "show", "1", "--json"});
    EXPECT_EQ(shown["status"], "interrupted");
    EXPECT_GE(shown["steps"], 7) << "two epochs and the step that the third had begun with";
    EXPECT_EQ(shown["epochs_log"].size(), shown["epochs"].get<std::size_t>());
    EXPECT_TRUE(shown["median_step_ms"].is_number());
    EXPECT_EQ(run({"runs", "export", "1", "--csv", file("export.csv")}).exitCode, 0);
    EXPECT_EQ(linesOf("export.csv").size(), shown["steps"].get<std::size_t>() + 1);
    EXPECT_EQ(run({"runs", "delete", "1"}).exitCode, 0);
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 0u);
}

TEST_F(Interruption, WhatAKilledRunHadWrittenOfItsCsvIsUnderTheTemporaryName) {
    Program program(longRun(), options());
    ASSERT_TRUE(program.waitForError("Epoch 2/"));
    program.send(SIGKILL);
    program.end();
    EXPECT_FALSE(std::filesystem::exists(*this / "steps.csv"));
    const auto parts = std::ranges::count_if(std::filesystem::directory_iterator(*this / ""), [](const auto& entry) {
        return entry.path().filename().string().starts_with("steps.csv.part-") && entry.file_size() > 100;
    });
    EXPECT_EQ(parts, 1);
}

} // namespace
} // namespace halfstep::app
