// Memory that the system really does not give (case D01): the program below limits of its address space.
#include "tests/app/workplace.h"
#include <fmt/format.h>
#include <regex>

namespace halfstep::app {
namespace {
using testing::HasSubstr;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

class MemoryContract : public Workplace {
protected:
    std::vector<std::string> steps() const {
        return {"train", "--data",   pictures(), "--image-size", "64",        "--batch-size",
                "24",    "--epochs", "2",        "--json",       "--threads", "2"};
    }
    /// Below a limit of so many MiB. It ends with 0 or with 4 and a sentence, or could not even be loaded.
    Ended below(std::uint64_t mebibytes) const {
        Program::Options limited = options();
        limited.addressSpaceBytes = mebibytes * kMebibyte;
        return Program(steps(), limited).end();
    }
    /// The last line that it wrote to standard error.
    static std::string lastLine(const Ended& ended) {
        const std::string text = ended.err.substr(0, ended.err.find_last_not_of('\n') + 1);
        return text.substr(text.rfind('\n') + 1);
    }
};

TEST_F(MemoryContract, AnAllocationThatFailsEndsWithFourAndASentence) {
    const auto without = jsonOf(steps());
    std::uint64_t enough = 4096, tooLittle = 128;
    ASSERT_EQ(below(enough).exitCode, 0);
    while (enough - tooLittle > 1) {
        const std::uint64_t middle = tooLittle + (enough - tooLittle) / 2;
        (below(middle).exitCode == 0 ? enough : tooLittle) = middle;
    }
    // Where the system puts things differs from start to start. Around what it takes some runs are refused before
    // they begin, and others miss on the way what cannot be foreseen (stacks and heaps of threads, holes).
    const std::regex sentence("halfstep: Out of memory.*(wants|gives no more memory).*\\.");
    int refused = 0;
    for (std::uint64_t limit = enough - 40; limit <= enough + 100; limit += 4) {
        const Ended ended = below(limit);
        if (ended.exitCode == 0) {
            continue;
        }
        EXPECT_EQ(ended.exitCode, 4) << limit << " MiB: signal " << ended.signal << ": " << ended.err;
        EXPECT_TRUE(std::regex_match(lastLine(ended), sentence)) << ended.err;
        EXPECT_THAT(ended.err, testing::AnyOf(HasSubstr("batches of 24 images of 64 x 64 pixels"),
                                              HasSubstr("thread"), HasSubstr("oneDNN")));
        ++refused;
    }
    EXPECT_GT(refused, 0);

    const auto runs = jsonOf({"runs", "list", "--json"})["runs"];
    for (const auto& run : runs) {
        EXPECT_THAT(run["status"], testing::AnyOf("finished", "failed"));
    }
    EXPECT_EQ(jsonOf(steps())["final"], without["final"]);
}

/// Case D04: names without number for a few small pictures, to fill a cache.
TEST_F(MemoryContract, TheMemoryOfARunDoesNotGrowWithTheSet) {
    constexpr int kSide = 128, kMany = 3000;
    const auto setOf = [this](int copies) {
        const std::filesystem::path small = pictures(), set = *this / fmt::format("set-{}", copies);
        for (const char* split : {"train", "val"}) {
            for (const char* label : {"bright", "dark"}) {
                const std::filesystem::path to = set / split / label;
                std::filesystem::create_directories(to);
                const int names = split == std::string_view("train") ? copies : 8;
                for (int i = 0; i < names; ++i) {
                    std::filesystem::create_hard_link(small / split / label / "0.png", to / fmt::format("{}.png", i));
                }
            }
        }
        return set.string();
    };
    const auto trainOn = [this](const std::string& set) {
        return run({"train", "--data", set, "--image-size", std::to_string(kSide), "--batch-size", "8", "--steps",
                    "4", "--threads", "2"});
    };
    const Ended few = trainOn(setOf(20)), many = trainOn(setOf(kMany));
    ASSERT_EQ(few.exitCode, 0) << few.err;
    ASSERT_EQ(many.exitCode, 0) << many.err;
    const std::uint64_t cache = std::uint64_t{2 * kMany + 16} * kSide * kSide * 3; // 295 MB
    EXPECT_LT(many.peakResidentBytes, few.peakResidentBytes + cache / 4);
    EXPECT_THAT(many.err, HasSubstr(fmt::format("({} x {} x {} x 3 bytes)", 2 * kMany + 16, kSide, kSide)))
        << "said before the start";
    EXPECT_LT(many.err.find("x 3 bytes)"), many.err.find("Epoch 1/"));
    const auto info = jsonOf({"data", "info", (*this / fmt::format("set-{}", kMany)).string(), "--image-size",
                              std::to_string(kSide), "--json"});
    EXPECT_EQ(info["cache_bytes"], cache);
}

} // namespace
} // namespace halfstep::app
