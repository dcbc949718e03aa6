#include "engine/store/safetensors.h"
#include "tests/app/workplace.h"
#include <csignal>
#include <fmt/format.h>
#include <fstream>

namespace halfstep::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;

/// Runs of three steps an epoch with checkpoints in "ck".
class ResumeContract : public Workplace {
protected:
    std::vector<std::string> checkpointed(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = smallRun({"--checkpoint", file("ck")});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    /// A CSV's rows without the columns that tell the run and the time.
    std::vector<std::string> rowsOf(const std::string& name) const {
        std::vector<std::string> rows = linesOf(name);
        for (std::string& row : rows) {
            std::vector<std::string> cells;
            for (std::size_t begin = 0; begin <= row.size();) {
                const std::size_t end = std::min(row.find(',', begin), row.size());
                cells.push_back(row.substr(begin, end - begin));
                begin = end + 1;
            }
            cells[0] = cells[6] = cells[7] = "";
            row = fmt::format("{}", fmt::join(cells, ","));
        }
        return rows;
    }

    static nlohmann::ordered_json withoutTimes(nlohmann::ordered_json summary) {
        for (auto& epoch : summary["epochs_log"]) {
            epoch.erase("seconds");
        }
        for (const char* other : {"run", "median_step_ms", "peak_bytes", "environment", "config"}) {
            summary.erase(other);
        }
        return summary;
    }

    void expectRefused(const std::vector<std::string>& arguments, int exitCode, const std::string& says) {
        const auto before = jsonOf({"runs", "list", "--json"});
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, exitCode) << ended.err;
        EXPECT_THAT(ended.err, AllOf(HasSubstr("halfstep: "), HasSubstr(says)));
        EXPECT_EQ(ended.out, "");
        EXPECT_EQ(jsonOf({"runs", "list", "--json"}), before) << "the history is as it was";
    }

    void editState(const std::string& folder, const std::function<void(nlohmann::ordered_json&)>& edit) const {
        const std::string name = folder + "/state.json";
        auto state = nlohmann::ordered_json::parse(contentOf(name));
        edit(state);
        std::ofstream(*this / name) << state.dump();
    }
};

TEST_F(ResumeContract, AResumedRunEqualsAnUninterruptedOneInAllThatItWrites) {
    const std::vector<std::string> settings{"--policy", "mixed_float16", "--loss-scale", "1048576"};
    auto whole = smallRun({"--epochs", "3", "--csv", file("whole.csv"), "--save-weights", file("whole"), "--json"});
    whole.insert(whole.end(), settings.begin(), settings.end());
    const auto expected = jsonOf(whole);
    EXPECT_GT(expected["skipped_steps"], 0);

    auto first = checkpointed({"--steps", "4", "--csv", file("first.csv")});
    first.insert(first.end(), settings.begin(), settings.end());
    ASSERT_EQ(run(first).exitCode, 0);
    const Ended second = run({"train", "--resume", "2", "--epochs", "3", "--threads", "1", "--csv",
                              file("second.csv"), "--save-weights", file("second"), "--json"});
    ASSERT_EQ(second.exitCode, 0) << second.err;
    EXPECT_EQ(withoutTimes(nlohmann::ordered_json::parse(second.out)), withoutTimes(expected));
    EXPECT_EQ(rowsOf("second.csv"), rowsOf("whole.csv"));
    EXPECT_EQ(contentOf("second"), contentOf("whole"));
    EXPECT_THAT(second.err, AllOf(HasSubstr("Run 2 goes on after step 4"), HasSubstr("Epoch 2/3"),
                                  testing::Not(HasSubstr("Epoch 1/3"))));

    const auto shown = jsonOf({"runs", "show", "2", "--json"});
    EXPECT_EQ(shown["config"]["epochs"], 3) << "as it was resumed";
    EXPECT_EQ(shown["epochs_log"].size(), 3u);
    ASSERT_EQ(run({"runs", "export", "2", "--csv", file("export.csv")}).exitCode, 0);
    EXPECT_EQ(contentOf("export.csv"), contentOf("second.csv"));
    expectRefused({"train", "--resume", "2"}, 2, "nothing is left to do");
}

TEST_F(ResumeContract, AKilledRunGoesOnAsIfItHadNotBeen) {
    {
        Program program(checkpointed({"--epochs", "10000", "--checkpoint-every", "2"}), options());
        ASSERT_TRUE(program.waitForError("Epoch 3/"));
        const Ended early = run({"train", "--resume", "1"});
        EXPECT_EQ(early.exitCode, 2);
        EXPECT_THAT(early.err, HasSubstr("still running"));
        program.send(SIGKILL);
        EXPECT_EQ(program.end().signal, SIGKILL);
    }
    const auto killed = jsonOf({"runs", "show", "1", "--json"});
    ASSERT_EQ(killed["status"], "interrupted");
    const std::string epochs = fmt::format("{}", killed["epochs"].get<int>() + 2);
    const auto resumed =
        jsonOf({"train", "--resume", "1", "--epochs", epochs, "--json", "--csv", file("resumed.csv")});
    const auto whole = jsonOf(smallRun({"--epochs", epochs, "--json", "--csv", file("whole.csv")}));
    EXPECT_EQ(withoutTimes(resumed), withoutTimes(whole));
    EXPECT_EQ(rowsOf("resumed.csv"), rowsOf("whole.csv"));
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 2u) << "it kept its number";
}

TEST_F(ResumeContract, AStoppedRunLeavesACheckpointOfItsLastStep) {
    Program program(checkpointed({"--epochs", "10000"}), options());
    ASSERT_TRUE(program.waitForError("Epoch 2/"));
    program.send(SIGINT);
    ASSERT_EQ(program.end().exitCode, 130);
    const auto stopped = jsonOf({"runs", "show", "1", "--json"});
    const std::string folder = fmt::format("ck/step-{:06}", stopped["steps"].get<int>());
    EXPECT_TRUE(std::filesystem::exists(*this / (folder + "/state.json"))) << folder;
    EXPECT_TRUE(std::filesystem::exists(*this / "ck/best/weights.safetensors"));
    const std::string epochs = fmt::format("{}", stopped["epochs"].get<int>() + 1);
    EXPECT_EQ(jsonOf({"train", "--resume", "1", "--epochs", epochs, "--json"})["status"], "finished");
}

TEST_F(ResumeContract, OnlyWhatChangesNoNumberMayStandBesideIt) {
    ASSERT_EQ(run(checkpointed({"--steps", "1"})).exitCode, 0);
    const std::vector<std::vector<std::string>> refused{
        {"--policy", "float32"},    {"--batch-size", "9"},    {"--data", "sample"},  {"--seed", "1"},
        {"--learning-rate", "0.1"}, {"--name", "x"},          {"--checkpoint", "x"}, {"--weights", "x"},
        {"--image-size", "32"},     {"--early-stopping", "3"}};
    for (const auto& option : refused) {
        expectRefused({"train", "--resume", "1", option[0], option[1]}, 2, option[0] + " cannot be given");
    }
    expectRefused({"train", "--resume", "1", "--epochs", "0"}, 2, "number of epochs");
    expectRefused({"train", "--resume", "1", "--epochs", "2", "--steps", "9"}, 2, "cannot be given together");
    expectRefused({"train", "--resume", "first"}, 2, "\"first\"");
    EXPECT_EQ(run({"train", "--resume", "1", "--steps", "2", "--memory-limit", "1GiB", "--checkpoint-every", "1",
                   "--history", file("runs.sqlite"), "--cache-dir", file("cache")})
                  .exitCode,
              0);
}

TEST_F(ResumeContract, WhatCannotBeResumedIsOneSentence) {
    expectRefused({"train", "--resume", "7"}, 2, "no run 7");
    ASSERT_EQ(run(smallRun({"--steps", "1"})).exitCode, 0);
    expectRefused({"train", "--resume", "1", "--steps", "2"}, 2, "no checkpoint");
    ASSERT_EQ(run(checkpointed({"--epochs", "30", "--learning-rate", "1e30"})).exitCode, 1);
    expectRefused({"train", "--resume", "2"}, 2, "diverged");
}

TEST_F(ResumeContract, ACheckpointThatIsNotTheRunsIsOneSentence) {
    ASSERT_EQ(run(checkpointed({"--steps", "1"})).exitCode, 0);
    const std::vector<std::string> resume{"train", "--resume", "1", "--steps", "2"};
    const std::string folder = "ck/step-000001";
    const auto original = nlohmann::ordered_json::parse(contentOf(folder + "/state.json"));

    editState(folder, [](auto& state) { state["format"] = 2; });
    expectRefused(resume, 3, "newer Halfstep");
    editState(folder, [&](auto& state) { state = original, state["run"] = 4; });
    expectRefused(resume, 3, "it is of run 4");
    editState(folder, [&](auto& state) { state = original, state["data_fingerprint"] = "other"; });
    expectRefused(resume, 3, "fingerprint");
    editState(folder, [&](auto& state) { state = original, state["position"]["step"] = 2; });
    expectRefused(resume, 3, "does not fit");
    editState(folder, [&](auto& state) { state = original, state["config"]["policy"] = "float8"; });
    expectRefused(resume, 3, "float8");
    editState(folder, [&](auto& state) { state = original; });

    auto weights = store::readSafetensors(*this / (folder + "/weights.safetensors"));
    weights.back().shape = {weights.back().shape[0], 1};
    store::writeSafetensors(*this / (folder + "/weights.safetensors"), weights);
    expectRefused(resume, 3, "\"dense/bias\" has the shape [2, 1], expected [2]");
    std::filesystem::resize_file(*this / (folder + "/weights.safetensors"), 100'000);
    expectRefused(resume, 3, "weights.safetensors");
    std::filesystem::remove_all(*this / folder);
    expectRefused(resume, 3, "holds no checkpoint");
    std::filesystem::remove_all(*this / "ck");
    expectRefused(resume, 3, "is gone");
}

TEST_F(ResumeContract, ASetThatHasChangedIsRefused) {
    ASSERT_EQ(run(checkpointed({"--steps", "1"})).exitCode, 0);
    std::filesystem::remove(*this / "photographs/train/dark/3.png");
    expectRefused({"train", "--resume", "1", "--steps", "2"}, 3, "are not those that the run began with");
}

TEST_F(ResumeContract, ANewRunDoesNotWriteOverTheCheckpointsOfAnother) {
    ASSERT_EQ(run(checkpointed({"--steps", "1"})).exitCode, 0);
    expectRefused(checkpointed({"--steps", "1"}), 2, "holds checkpoints of another run");
    EXPECT_TRUE(std::filesystem::exists(*this / "ck/step-000001/state.json"));
}

TEST_F(ResumeContract, ARelativeFolderAndSetAreFoundFromAnyFolder) {
    pictures();
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(*this / "");
    const Ended first = run({"train", "--data", "photographs", "--image-size", "32", "--batch-size", "9", "--steps",
                             "1", "--checkpoint", "ck"});
    std::filesystem::current_path(before);
    ASSERT_EQ(first.exitCode, 0) << first.err;
    EXPECT_EQ(jsonOf({"train", "--resume", "1", "--steps", "2", "--json"})["steps"], 2);
}

TEST_F(ResumeContract, EarlyStoppingEndsARunAsFinished) {
    const Ended ended =
        run(checkpointed({"--epochs", "40", "--early-stopping", "1", "--learning-rate", "0.5", "--json"}));
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    const auto summary = nlohmann::ordered_json::parse(ended.out);
    EXPECT_EQ(summary["status"], "finished");
    EXPECT_LT(summary["epochs"], 40);
    EXPECT_EQ(summary["config"]["early_stopping_patience"], 1);
    EXPECT_THAT(ended.err, HasSubstr("Early stopping"));
    expectRefused({"train", "--resume", "1", "--epochs", "50"}, 2, "early stopping");
}

} // namespace
} // namespace halfstep::app
