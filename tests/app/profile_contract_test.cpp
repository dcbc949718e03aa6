#include "tests/app/workplace.h"
#include <algorithm>
#include <sstream>

namespace halfstep::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class ProfileContract : public Workplace {
protected:
    std::vector<std::string> smallProfile(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"profile", "--data",  pictures(), "--image-size", "32", "--batch-size",
                                           "9",       "--steps", "2",        "--warmup",     "1"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
};

TEST_F(ProfileContract, JsonIsOneDocumentWithEveryPart) {
    const Json json = jsonOf(smallProfile({"--policy", "mixed_float16", "--json"}));
    EXPECT_EQ(json.at("config").at("policy"), "mixed_float16");
    EXPECT_EQ(json.at("steps"), 2);
    EXPECT_EQ(json.at("sentences").size(), 3U);
    EXPECT_EQ(json.at("against"), nullptr);
    EXPECT_EQ(json.at("speedup"), nullptr);
    EXPECT_GT(json.at("ceilings").at("gflops").get<double>(), 0);
    double share = 0;
    for (const Json& part : json.at("parts")) {
        share += part.at("share").get<double>();
        for (const char* name :
             {"layer", "operation", "kind", "median_ms", "q25_ms", "q75_ms", "flops", "direct_flops", "bytes",
              "algorithm", "intensity", "gflops", "direct_gflops", "gbps", "share_of_roof", "bound"}) {
            EXPECT_TRUE(part.contains(name)) << name;
        }
    }
    EXPECT_NEAR(share, 1, 1e-9);
    EXPECT_EQ(json.at("parts").front().at("operation"), "wait");
    EXPECT_EQ(json.at("parts").back().at("operation"), "other");
}

TEST_F(ProfileContract, AgainstAnotherPolicyTheSpeedUpIsExplained) {
    const Json json = jsonOf(smallProfile({"--policy", "mixed_bfloat16", "--against", "float32", "--json"}));
    EXPECT_EQ(json.at("against").at("config").at("policy"), "float32");
    EXPECT_GT(json.at("speedup").get<double>(), 0);
    EXPECT_EQ(json.at("sentences").size(), 4U);
    EXPECT_THAT(json.at("sentences")[2].get<std::string>(), AllOf(HasSubstr("mixed_bfloat16"), HasSubstr("float32")));
}

TEST_F(ProfileContract, ForPeopleTheSentencesStandAboveAnAlignedTable) {
    const Ended ended = run(smallProfile());
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    std::istringstream text(ended.out);
    std::string line, header;
    for (int i = 0; i < 3; ++i) {
        std::getline(text, line);
        EXPECT_THAT(line, testing::EndsWith("."));
    }
    std::getline(text, line);
    EXPECT_EQ(line, "");
    std::getline(text, header);
    EXPECT_THAT(header, AllOf(HasSubstr("GFLOP/s"), HasSubstr("GB/s"), HasSubstr("of roof")));
    const std::size_t end = header.find("ms") + 2;
    int rows = 0;
    while (std::getline(text, line) && !line.empty()) {
        ++rows;
        ASSERT_GT(line.size(), end);
        EXPECT_NE(line[end - 1], ' ') << line;
        EXPECT_EQ(line[end], ' ') << line;
    }
    EXPECT_GE(rows, 20);
    EXPECT_THAT(ended.out, HasSubstr("Ceilings of "));
    EXPECT_THAT(ended.err, HasSubstr("Profiling"));
    EXPECT_FALSE(std::filesystem::exists(*this / "runs.sqlite")) << "nothing is entered in the history";
}

TEST_F(ProfileContract, WhatCannotBeEndsWithItsCodeAndASentence) {
    struct Wrong {
        std::vector<std::string> arguments;
        int exitCode;
        std::string says;
    };
    const std::vector<Wrong> all{{{"profile", "--steps", "0"}, 2, "--steps"},
                                 {{"profile", "--warmup", "-1"}, 2, "--warmup"},
                                 {{"profile", "--steps", "two"}, 2, "\"two\""},
                                 {{"profile", "--policy", "float17"}, 2, "mixed_float16"},
                                 {{"profile", "--against", "float17"}, 2, "mixed_float16"},
                                 {{"profile", "--against", "float32"}, 2, "another policy"},
                                 {{"profile", "--batch-size", "0"}, 2, "--batch-size"},
                                 {{"profile", "--isa", "mmx"}, 2, "--isa"},
                                 {{"profile", "--epochs", "2"}, 2, "\"--epochs\""},
                                 {{"profile", "--data", "/nowhere/at/all"}, 3, "/nowhere/at/all"},
                                 {{"profile", "--memory-limit", "1kB"}, 4, "memory"},
                                 {{"profile", "--device", "cuda:0"}, 1, "cuda:0"}};
    for (const Wrong& wrong : all) {
        const Ended ended = run(wrong.arguments);
        EXPECT_EQ(ended.exitCode, wrong.exitCode) << wrong.arguments[1] << ": " << ended.err;
        EXPECT_THAT(ended.err, HasSubstr(wrong.says));
        EXPECT_EQ(ended.out, "");
    }
}

TEST_F(ProfileContract, AnInterruptEndsWithOneHundredAndThirty) {
    std::vector<std::string> arguments = smallProfile();
    arguments[static_cast<std::size_t>(std::ranges::find(arguments, "--steps") - arguments.begin()) + 1] = "100000";
    Program program(arguments, options());
    ASSERT_TRUE(program.waitForError("Profiling"));
    program.send(2);
    EXPECT_EQ(program.end().exitCode, 130);
}

} // namespace
} // namespace halfstep::app
