#include "engine/report/command.h"
#include <array>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

namespace halfstep::report {
namespace {
using testing::ElementsAre;

TEST(Command, SettingsAtTheirDefaultsAreLeftOut) {
    EXPECT_THAT(trainArguments({}), ElementsAre("train"));
    EXPECT_THAT(sweepArguments({}), ElementsAre("sweep"));
}

TEST(Command, SettingsThatDifferStandUnderTheirFlags) {
    EXPECT_THAT(trainArguments({.policy = precision::Policy::MixedFloat16,
                                .batchSize = 8,
                                .learningRate = 0.0001,
                                .earlyStoppingPatience = 3,
                                .memoryLimitBytes = 1048576}),
                ElementsAre("train", "--policy", "mixed_float16", "--batch-size", "8", "--learning-rate", "1e-04",
                            "--early-stopping", "3", "--memory-limit", "1048576"));
    values::SweepConfig sweep{.policies = {precision::Policy::MixedFloat16, precision::Policy::Float32},
                              .batchSizes = {8, 16},
                              .isas = {"avx2", "sse4"},
                              .input = values::SweepInput::Synthetic};
    sweep.baseline = {.policy = std::nullopt, .isa = "sse4"};
    EXPECT_THAT(sweepArguments(sweep),
                ElementsAre("sweep", "--policies", "mixed_float16,float32", "--batch-sizes", "8,16", "--isas",
                            "avx2,sse4", "--synthetic", "--baseline", "own", "--baseline-isa", "sse4"));
}

TEST(Command, PlainWordsStandWithoutQuotationMarks) {
    EXPECT_EQ(shellCommand({"train", "--data", "../data/set-160.tgz", "--learning-rate", "1e-07"}),
              "halfstep train --data ../data/set-160.tgz --learning-rate 1e-07");
    EXPECT_EQ(shellCommand({"it's", ""}), "halfstep 'it'\\''s' ''");
    EXPECT_EQ(shellCommand({"two\nlines"}), "halfstep $'two\\x0alines'");
}

/// The arguments as bash hands them to a program.
std::string asBashReadsThem(const std::string& command) {
    const std::string script = "halfstep() { printf '%s\\0' \"$@\"; }; " + command;
    int ends[2];
    if (pipe(ends) != 0) {
        return "no pipe";
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execlp("bash", "bash", "-c", script.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> bytes{};
    for (ssize_t count; (count = read(ends[0], bytes.data(), bytes.size())) > 0;) {
        text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return text;
}

TEST(Command, AShellReadsBackWhateverANameHolds) {
    const std::vector<std::string> words{
        "train",        "it's",          "$(rm -rf x)",         "`x`",       "a \"b\" c",
        "back\\slash",  "two\nlines\t'", "Größe 测试 🙂", "bad\xFF'x", "",
        "*?[a]{b,c}~!", "a;b&c|d>e",     "\\x41 stays\nx41",    "--flag",    "%s #"};
    std::string expected;
    for (const std::string& word : words) {
        expected += word + '\0';
    }
    EXPECT_EQ(asBashReadsThem(shellCommand(words)), expected);
}

} // namespace
} // namespace halfstep::report
