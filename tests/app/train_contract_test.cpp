#include "tests/app/workplace.h"
#include <algorithm>
#include <regex>

namespace halfstep::app {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::Not;

class TrainContract : public Workplace {
protected:
    static std::vector<std::string> keysOf(const nlohmann::ordered_json& object) {
        std::vector<std::string> keys;
        for (const auto& item : object.items()) {
            keys.push_back(item.key());
        }
        return keys;
    }
};

TEST_F(TrainContract, EndsWithASummaryThatHasTheContractsKeys) {
    const Ended ended = run(smallRun({"--epochs", "2", "--json", "--policy", "mixed_float16", "--name", "Größe"}));
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const auto summary = nlohmann::ordered_json::parse(ended.out);
    const std::vector<std::string> wanted{"run",        "status",         "steps", "epochs",     "skipped_steps",
                                          "peak_bytes", "median_step_ms", "final", "epochs_log", "environment"};
    EXPECT_THAT(wanted, IsSubsetOf(keysOf(summary)));
    EXPECT_EQ(summary["run"], 1);
    EXPECT_EQ(summary["status"], "finished");
    EXPECT_EQ(summary["steps"], 6); // 24 pictures in batches of 9: 3 steps an epoch
    EXPECT_EQ(summary["epochs"], 2);
    EXPECT_GT(summary["median_step_ms"], 0);
    EXPECT_GT(summary["peak_bytes"], 0);
    EXPECT_THAT(keysOf(summary["final"]), ElementsAre("loss", "accuracy", "val_loss", "val_accuracy"));
    ASSERT_EQ(summary["epochs_log"].size(), 2u);
    EXPECT_EQ(summary["epochs_log"][1]["val_loss"], summary["final"]["val_loss"]);
    EXPECT_GT(summary["epochs_log"][0]["seconds"], 0);
    EXPECT_EQ(summary["config"]["name"], "Größe");
    EXPECT_EQ(summary["config"]["device"], "cpu");
    EXPECT_NE(summary["environment"]["cpu"], "");
    EXPECT_NE(summary["environment"]["data_fingerprint"], "");
    EXPECT_EQ(summary["environment"]["validation_pictures"], 8);
}

TEST_F(TrainContract, ProgressGoesToStandardErrorAsKerasWritesIt) {
    const Ended ended = run(smallRun({"--epochs", "2"}));
    EXPECT_THAT(ended.out, testing::AllOf(HasSubstr("Run 1 finished: 6 steps"), Not(HasSubstr("Epoch 1/2"))));
    EXPECT_THAT(ended.err, HasSubstr("Epoch 2/2\n"));
    const std::regex line("\n3/3 \\[={30}\\] - \\d+s [0-9.]+ms/step - loss: [0-9.]+ - accuracy: [0-9.]+"
                          " - val_loss: [0-9.]+ - val_accuracy: [0-9.]+\n");
    EXPECT_EQ(std::distance(std::sregex_iterator(ended.err.begin(), ended.err.end(), line), {}), 2) << ended.err;
    EXPECT_THAT(ended.err, Not(HasSubstr("\r"))) << "a file is no terminal";
}

TEST_F(TrainContract, TheCsvHasOneRowAStepAndEqualsTheExport) {
    ASSERT_EQ(run(smallRun({"--epochs", "2", "--csv", file("steps.csv")})).exitCode, 0);
    const auto lines = linesOf("steps.csv");
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_EQ(lines[0], "run,step,epoch,batch_size,loss,accuracy,step_ms,data_wait_ms,loss_scale,skipped,"
                        "first_non_finite,lost_updates");
    const std::regex row("1,[1-6],[12],[69],[0-9.]+(e-[0-9]+)?,[0-9.]+,[0-9.]+,[0-9.e-]+,,0,,[0-9.e-]+");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        EXPECT_TRUE(std::regex_match(lines[i], row)) << lines[i];
    }
    ASSERT_EQ(run({"runs", "export", "1", "--csv", file("export.csv"), "--json", file("export.json")}).exitCode, 0);
    EXPECT_EQ(contentOf("export.csv"), contentOf("steps.csv"));
    EXPECT_EQ(nlohmann::json::parse(contentOf("export.json"))["steps_log"].size(), 6u);
}

TEST_F(TrainContract, TheLossScaleIsInTheCsvOfMixedFloat16Only) {
    ASSERT_EQ(run(smallRun({"--steps", "1", "--policy", "mixed_float16", "--csv", file("f16.csv")})).exitCode, 0);
    EXPECT_THAT(linesOf("f16.csv").back(), testing::ContainsRegex(",32768,0,,[0-9.e-]+$"));
    ASSERT_EQ(run(smallRun({"--steps", "1", "--policy", "mixed_bfloat16", "--csv", file("b16.csv")})).exitCode, 0);
    EXPECT_THAT(linesOf("b16.csv").back(), testing::ContainsRegex(",,0,,[0-9.e-]+$"));
}

TEST_F(TrainContract, StepsEndARunInTheMiddleOfAnEpochWithWhatIsKnown) {
    const auto summary = jsonOf(smallRun({"--steps", "4", "--json"}));
    EXPECT_EQ(summary["status"], "finished");
    EXPECT_EQ(summary["steps"], 4);
    EXPECT_EQ(summary["epochs"], 1);
    EXPECT_NE(summary["final"]["loss"], summary["epochs_log"][0]["loss"]) << "of the epoch that was begun";
    EXPECT_EQ(summary["final"]["val_loss"], summary["epochs_log"][0]["val_loss"]);
    const auto shorter = jsonOf(smallRun({"--steps", "2", "--json"}));
    EXPECT_EQ(shorter["epochs"], 0);
    EXPECT_TRUE(shorter["final"]["loss"].is_number());
    EXPECT_TRUE(shorter["final"]["val_loss"].is_null());
    const auto shown = jsonOf({"runs", "show", "2", "--json"});
    EXPECT_EQ(shown["final"], shorter["final"]);
}

TEST_F(TrainContract, TheSameSeedGivesTheSameNumbersOnAnyNumberOfThreads) {
    const auto one = jsonOf(smallRun({"--epochs", "1", "--json", "--threads", "1", "--seed", "7"}));
    const auto two = jsonOf(smallRun({"--epochs", "1", "--json", "--threads", "2", "--seed", "7"}));
    const auto other = jsonOf(smallRun({"--epochs", "1", "--json", "--seed", "8"}));
    EXPECT_EQ(one["final"], two["final"]);
    EXPECT_NE(one["final"], other["final"]);
}

TEST_F(TrainContract, NoLocaleChangesAByte) {
    Program::Options german = options();
    german.environment["LC_ALL"] = "de_DE.UTF-8";
    german.environment["LANG"] = "de_DE.UTF-8";
    const Ended ended =
        Program(smallRun({"--steps", "2", "--json", "--learning-rate", "0.002", "--csv", file("german.csv")}), german)
            .end();
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(nlohmann::json::parse(ended.out)["config"]["learning_rate"], 0.002);
    for (const std::string& line : linesOf("german.csv")) {
        EXPECT_EQ(std::ranges::count(line, ','), 11) << line;
    }
}

TEST_F(TrainContract, TooLittleMemoryEndsWithFourBeforeTheRunStarts) {
    const Ended ended = run(smallRun({"--memory-limit", "1MiB", "--json"}));
    EXPECT_EQ(ended.exitCode, 4);
    EXPECT_THAT(ended.err, testing::AllOf(HasSubstr("wants"), HasSubstr("1.0 MiB are free"), HasSubstr("limit")));
    const auto summary = nlohmann::ordered_json::parse(ended.out);
    EXPECT_EQ(summary["status"], "failed");
    EXPECT_TRUE(summary["run"].is_null());
    EXPECT_NE(summary["message"], "");
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 0u);
}

TEST_F(TrainContract, ABatchThatNoMachineHoldsEndsAtOnceAndNamesTheLargestThatFits) {
    const Ended ended = run({"train", "--data", "sample", "--image-size", "2048", "--batch-size", "100000"});
    EXPECT_EQ(ended.exitCode, 4);
    EXPECT_THAT(ended.err, testing::AllOf(HasSubstr("batches of 100000 images of 2048 x 2048"), HasSubstr("wants"),
                                          HasSubstr("are free"), HasSubstr("fits; smaller images")));
}

TEST_F(TrainContract, AnEnormousLearningRateDivergesAndEndsWithOne) {
    const Ended ended = run(smallRun({"--epochs", "30", "--learning-rate", "1e30", "--json"}));
    const auto summary = nlohmann::ordered_json::parse(ended.out);
    EXPECT_EQ(summary["status"], "diverged") << ended.err;
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_NE(summary["message"], "");
}

TEST_F(TrainContract, ALossScaleThatCollapsesEndsWithOneAndASaneRunAfterItTrains) {
    const std::vector<std::string> settings{"--policy", "mixed_float16", "--optimizer", "sgd", "--json"};
    std::vector<std::string> insane = smallRun({"--epochs", "100", "--learning-rate", "1e30"});
    insane.insert(insane.end(), settings.begin(), settings.end());
    const Ended ended = run(insane);
    EXPECT_EQ(ended.exitCode, 1);
    const auto summary = nlohmann::ordered_json::parse(ended.out);
    EXPECT_EQ(summary["status"], "diverged");
    EXPECT_EQ(summary["skipped_steps"], 50);
    EXPECT_THAT(ended.err, testing::AllOf(HasSubstr("50 steps in a row"), HasSubstr("loss scale at its floor, 1")));
    std::vector<std::string> sane = smallRun({"--epochs", "2", "--learning-rate", "0.01"});
    sane.insert(sane.end(), settings.begin(), settings.end());
    EXPECT_EQ(jsonOf(sane)["status"], "finished");
}

TEST_F(TrainContract, EverySettingHasAFlagAndIsKeptWithTheRun) {
    const auto summary = jsonOf(smallRun({"--steps",
                                          "2",
                                          "--json",
                                          "--policy",
                                          "mixed_bfloat16",
                                          "--optimizer",
                                          "sgd",
                                          "--loss-scaling",
                                          "dynamic",
                                          "--loss-scale-rule",
                                          "pytorch",
                                          "--loss-scale",
                                          "1024",
                                          "--loss-scale-growth",
                                          "4",
                                          "--loss-scale-backoff",
                                          "0.25",
                                          "--loss-scale-interval",
                                          "7",
                                          "--numerics-every",
                                          "0",
                                          "--early-stopping",
                                          "3",
                                          "--checkpoint",
                                          file("ck"),
                                          "--checkpoint-every",
                                          "1",
                                          "--csv",
                                          file("steps.csv")}));
    const auto& config = summary["config"];
    EXPECT_EQ(config["optimizer"], "sgd");
    EXPECT_EQ(config["loss_scaling"], "dynamic");
    EXPECT_EQ(config["loss_scale_rule"], "pytorch");
    EXPECT_EQ(config["loss_scale"], 1024);
    EXPECT_EQ(config["loss_scale_growth"], 4);
    EXPECT_EQ(config["loss_scale_backoff"], 0.25);
    EXPECT_EQ(config["loss_scale_interval"], 7);
    EXPECT_EQ(config["numerics_every"], 0);
    EXPECT_EQ(config["early_stopping_patience"], 3);
    EXPECT_EQ(config["checkpoint"], file("ck"));
    EXPECT_EQ(config["checkpoint_every"], 1);
    EXPECT_THAT(linesOf("steps.csv").back(), testing::ContainsRegex(",1024,0"));
    EXPECT_EQ(jsonOf({"runs", "show", "1", "--json"})["config"], config);
    EXPECT_EQ(jsonOf(smallRun({"--steps", "1", "--epsilon", "0.001", "--json"}))["config"]["epsilon"], 0.001);
}

TEST_F(TrainContract, ACsvThatCannotBeWrittenIsSaidBeforeTheRun) {
    const Ended ended = run(smallRun({"--csv", file("no/such/folder.csv")}));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.err, HasSubstr("no/such/folder.csv"));
    EXPECT_EQ(jsonOf({"runs", "list", "--json"})["runs"].size(), 0u);
}

TEST_F(TrainContract, AFileThatIsNoHistoryEndsWithOneAndIsLeftAlone) {
    pictures();
    const std::string picture = file("photographs/train/dark/0.png");
    const std::string before = contentOf("photographs/train/dark/0.png");
    const Ended ended = run(smallRun({"--history", picture}));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.err, HasSubstr("not a run history"));
    EXPECT_EQ(contentOf("photographs/train/dark/0.png"), before);
}

} // namespace
} // namespace halfstep::app
