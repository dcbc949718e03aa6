#include "tests/app/workplace.h"

namespace halfstep::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Arguments : public Workplace {};

TEST_F(Arguments, VersionAndHelpAreResults) {
    const Ended version = run({"--version"});
    EXPECT_EQ(version.exitCode, 0);
    EXPECT_THAT(version.out, testing::MatchesRegex("halfstep [0-9]+\\.[0-9]+\\.[0-9]+\n"));
    for (const std::vector<std::string>& command : {std::vector<std::string>{"--help"},
                                                    {"train", "--help"},
                                                    {"step", "--help"},
                                                    {"runs", "export", "--help"}}) {
        const Ended help = run(command);
        EXPECT_EQ(help.exitCode, 0);
        EXPECT_THAT(help.out, HasSubstr("Usage:"));
        EXPECT_EQ(help.err, "");
    }
    EXPECT_THAT(run({"--help"}).out, HasSubstr("Examples:"));
}

TEST_F(Arguments, WrongOnesEndWithTwoAndASentence) {
    struct Wrong {
        std::vector<std::string> arguments;
        std::string says;
    };
    const std::vector<Wrong> all{
        {{"trian"}, "\"trian\""},
        {{"--nonsense"}, "\"--nonsense\""},
        {{"train", "--polcy", "float32"}, "\"--polcy\""},
        {{"train", "surplus"}, "\"surplus\""},
        {{"train", "--policy", "float17"}, "mixed_float16"},
        {{"train", "--batch-size", "0"}, "between 1 and 1000000"},
        {{"train", "--batch-size", "3x"}, "\"3x\""},
        {{"train", "--batch-size"}, "--batch-size needs a value"},
        {{"train", "--batch-size", "1", "--batch-size", "2"}, "more than once"},
        {{"train", "--epochs", "99999999999999999999"}, "--epochs"},
        {{"train", "--epochs", "2", "--steps", "2"}, "cannot be given together"},
        {{"train", "--image-size", "8"}, "--image-size"},
        {{"train", "--seed", "-1"}, "--seed"},
        {{"train", "--learning-rate", "0,001"}, "\"0,001\""},
        {{"train", "--learning-rate", "nan"}, "--learning-rate"},
        {{"train", "--memory-limit", "4 gigs"}, "4GiB"},
        {{"train", "--optimizer", "adamw"}, "adam, sgd"},
        {{"train", "--optimizer", "sgd", "--epsilon", "1e-8"}, "--epsilon is Adam's"},
        {{"train", "--epsilon", "0"}, "--epsilon"},
        {{"train", "--loss-scaling", "on"}, "auto, dynamic, fixed, off"},
        {{"train", "--loss-scale-rule", "jax"}, "keras, pytorch"},
        {{"train", "--loss-scale", "0.5"}, "--loss-scale: "},
        {{"train", "--loss-scale", "inf"}, "--loss-scale: "},
        {{"train", "--loss-scale-growth", "0"}, "--loss-scale-growth"},
        {{"train", "--loss-scale-backoff", "1"}, "--loss-scale-backoff"},
        {{"train", "--loss-scale-interval", "0"}, "--loss-scale-interval"},
        {{"train", "--loss-scale-interval", "1.5"}, "a whole number"},
        {{"train", "--loss-scaling", "off", "--loss-scale", "2"}, "--loss-scaling"},
        {{"train", "--numerics-every", "-1"}, "--numerics-every"},
        {{"train", "--early-stopping", "0"}, "--early-stopping"},
        {{"train", "--checkpoint-every", "5"}, "--checkpoint DIR"},
        {{"train", "--checkpoint", "ck", "--checkpoint-every", "0"}, "--checkpoint-every"},
        {{"train", "--resume", "1", "--policy", "float32"}, "--policy cannot be given"},
        {{"train", "--isa", "avx9000"}, "auto"},
        {{"train", "--isa", "AVX 2"}, "auto"},
        {{"train", "--convolution", "winograd"}, "auto, fft or direct"},
        {{"train", "--device", "gpu"}, "cuda:0"},
        {{"runs"}, "command"},
        {{"runs", "show"}, "id"},
        {{"runs", "show", "first"}, "\"first\""},
        {{"runs", "export", "1"}, "--csv"},
        {{"data", "info"}, "source"},
        {{"step", "--weights", "w"}, "required"},
        {{"step", "--weights", "w", "--batch", "b", "--output", "o", "--loss-scale", "0"}, "--loss-scale"},
    };
    for (const Wrong& wrong : all) {
        const Ended ended = run(wrong.arguments);
        EXPECT_EQ(ended.exitCode, 2) << testing::PrintToString(wrong.arguments) << ended.err;
        EXPECT_THAT(ended.err, AllOf(StartsWith("halfstep: "), HasSubstr(wrong.says)));
        EXPECT_EQ(ended.out, "");
    }
}

TEST_F(Arguments, AllProblemsOfARunAreSaidAtOnce) {
    const Ended ended = run({"train", "--batch-size", "0", "--epochs", "0", "--threads", "1000"});
    EXPECT_THAT(ended.err, AllOf(HasSubstr("--batch-size"), HasSubstr("--epochs"), HasSubstr("--threads")));
}

TEST_F(Arguments, DevicesListsTheCpuAndWhyThereIsNoOther) {
    const auto document = jsonOf({"devices", "--json"});
    ASSERT_GE(document["devices"].size(), 1u);
    const auto& cpu = document["devices"][0];
    EXPECT_EQ(cpu["id"], "cpu");
    EXPECT_EQ(cpu["usable"], true);
    EXPECT_GE(cpu["cores"], 1);
    EXPECT_GE(cpu["isas"].size(), 1u);
    EXPECT_GT(cpu["memory_bytes"], 0);
    EXPECT_EQ(cpu["policies"].size(), 5u);
    EXPECT_THAT(run({"devices"}).out, HasSubstr("mixed_bfloat16"));
}

TEST_F(Arguments, ADeviceThatIsNotThereIsAFailure) {
    const auto listed = jsonOf({"devices", "--json"}); // named: a loop would not keep the temporary
    for (const auto& device : listed["devices"]) {
        if (device["usable"] == false) {
            const Ended ended = run(smallRun({"--device", device["id"]}));
            EXPECT_EQ(ended.exitCode, 1);
            EXPECT_THAT(ended.err, HasSubstr(device["id"].get<std::string>()));
        }
    }
}

} // namespace
} // namespace halfstep::app
