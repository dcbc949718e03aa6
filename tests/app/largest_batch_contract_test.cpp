#include "tests/app/workplace.h"
#include <algorithm>

namespace halfstep::app {
namespace {
using testing::HasSubstr;
using testing::MatchesRegex;

class LargestBatchContract : public Workplace {
protected:
    static std::vector<std::string> question(const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"train", "--largest-batch", "--image-size", "32"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
};

TEST_F(LargestBatchContract, TheBatchThatIsFoundRunsAndTheNextPowerOfTwoDoesNot) {
    const auto found = jsonOf(question({"--memory-limit", "80MiB", "--json"}));
    const int batch = found.at("largest_batch").get<int>();
    ASSERT_GT(batch, 8);
    EXPECT_LE(found.at("predicted_bytes"), found.at("free_bytes"));
    EXPECT_LE(found.at("free_bytes"), 80 << 20);
    const auto sweepOf = [&](int size) {
        return run(smallSweep({"--memory-limit", "80MiB", "--policies", "float32", "--synthetic", "--json"},
                              std::to_string(size)));
    };
    EXPECT_EQ(sweepOf(batch).exitCode, 0);
    int power = 1;
    while (power <= batch) {
        power *= 2;
    }
    EXPECT_EQ(sweepOf(power).exitCode, 4) << power;
}

TEST_F(LargestBatchContract, ForPeopleItIsANumberAndWhatItTakes) {
    const Ended ended = run(question({"--memory-limit", "80MiB"}));
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, MatchesRegex("[0-9]+\n[0-9.]+ MiB of 80.0 MiB that are free\n"));
    EXPECT_FALSE(std::filesystem::exists(*this / "runs.sqlite")) << "nothing is entered in the history";
}

TEST_F(LargestBatchContract, WhereNothingFitsItIsOutOfMemory) {
    refuses(question({"--memory-limit", "1KB"}), 4, "Not even one image of 32 x 32 pixels fits into 1000 bytes");
    const Ended ended = run(question({"--memory-limit", "1KB", "--json"}));
    EXPECT_EQ(ended.exitCode, 4);
    EXPECT_EQ(nlohmann::json::parse(ended.out).at("largest_batch"), 0);
    refuses(question({"--batch-size", "8"}), 2, "--batch-size cannot be given together with --largest-batch");
    refuses({"train", "--largest-batch", "--resume", "1"}, 2,
            "--largest-batch cannot be given together with --resume");
}

} // namespace
} // namespace halfstep::app
