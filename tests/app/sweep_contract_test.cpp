#include "tests/app/workplace.h"
#include <algorithm>

namespace halfstep::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

class SweepContract : public Workplace {};

TEST_F(SweepContract, JsonAndCsvHaveEveryCell) {
    const Json json = jsonOf(smallSweep({"--json", "--csv", file("cells.csv")}));
    EXPECT_EQ(json.at("status"), "finished");
    ASSERT_EQ(json.at("cells").size(), 6U);
    for (const Json& cell : json.at("cells")) {
        EXPECT_GT(cell.at("median_ms").get<double>(), 0);
        EXPECT_EQ(cell.at("timed_steps"), 4);
        EXPECT_EQ(cell.at("warmup_steps"), 2);
        EXPECT_EQ(cell.at("computed_in"), "float32");
        EXPECT_EQ(cell.at("predicted_bytes"), cell.at("peak_bytes"));
        EXPECT_EQ(cell.at("rounds").size(), 2U);
    }
    const std::vector<std::string> lines = linesOf("cells.csv");
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_THAT(lines[0], StartsWith("policy,batch_size,device,isa,status,median_ms,q25_ms,q75_ms,ci_low_ms,"
                                     "ci_high_ms,images_per_second,timed_steps,speedup,predicted_bytes,peak_bytes"));
    EXPECT_THAT(lines[1], StartsWith("float32,9,cpu,"));
}

TEST_F(SweepContract, CellsThatDoNotFitAreOomAndTheRestRuns) {
    const Json whole = jsonOf(smallSweep({"--policies", "float32", "--json"}, "9"));
    const auto limit = whole.at("cells").at(0).at("predicted_bytes").get<std::uint64_t>();
    const Json json =
        jsonOf(smallSweep({"--policies", "float32", "--memory-limit", std::to_string(limit), "--json"}, "9,700"));
    EXPECT_EQ(json.at("cells").at(0).at("timed_steps"), 4);
    EXPECT_EQ(json.at("cells").at(1).at("status"), "oom");
    EXPECT_EQ(json.at("cells").at(1).at("median_ms"), nullptr);
    EXPECT_GE(json.at("cells").at(1).at("largest_batch").get<int>(), 9);
    const Ended none = run(smallSweep({"--memory-limit", "1kB"}));
    EXPECT_EQ(none.exitCode, 4);
    EXPECT_THAT(none.err, HasSubstr("None of the 6 cells could run"));
}

TEST_F(SweepContract, ASweepIsExtendedByMoreRounds) {
    const Json first = jsonOf(smallSweep({"--policies", "float32,mixed_float16", "--synthetic", "--json"}));
    const std::string id = first.at("sweep").dump();
    const Json more = jsonOf({"sweep", "--resume", id, "--more-rounds", "1", "--json"});
    EXPECT_EQ(more.at("sweep"), first.at("sweep"));
    for (const Json& cell : more.at("cells")) {
        EXPECT_EQ(cell.at("rounds").size(), 3U);
    }
    refuses({"sweep", "--resume", id, "--steps", "3"}, 2, "--steps cannot be given together with --resume");
    refuses({"sweep", "--resume", "99"}, 1, "There is no sweep 99");
}

TEST_F(SweepContract, ForPeopleThereIsATableAndWhatWasLeftOut) {
    const Ended ended = run(smallSweep({"--policies", "float32,mixed_float16"}));
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, AllOf(HasSubstr("ms/step"), HasSubstr("baseline"), HasSubstr("mixed_float16"),
                                 HasSubstr("16 timed steps; 8 warm-up steps")));
}

TEST_F(SweepContract, BadInputIsOneSentence) {
    refuses(smallSweep({}, "0,abc"), 2, "--batch-sizes takes a whole number in its range, not \"abc\"");
    refuses({"sweep", "--batch-sizes", "0"}, 2, "--batch-sizes: The batch size is 0");
    refuses({"sweep", "--policies", ""}, 2, "--policies takes policies with commas between them");
    refuses({"sweep", "--policies", "float8"}, 2, "--policies takes one of");
    refuses({"sweep", "--policies", "float32,float32"}, 2, "float32 stands twice");
    refuses({"sweep", "--repeats", "0"}, 2, "--repeats");
    refuses({"sweep", "--isas", "mmx"}, 2, "one of auto");
    refuses({"sweep", "--csv", "/no/such/folder/cells.csv"}, 1, "/no/such/folder");
    refuses({"sweep", "--more-rounds", "2"}, 2, "--resume");
    refuses({"sweep", "--again", "disturbed"}, 2, "--again goes with --resume");
    refuses({"sweep", "--resume", "three"}, 2, "--resume takes the number of a sweep, such as 3 or s3");
    refuses({"sweep", "--resume", "1", "--again", "all"}, 2, "--again takes \"disturbed\", or cells such as");
    refuses({"sweep", "--resume", "1", "--again", "float32:x"}, 2, "--again takes a whole number");
    refuses({"sweep", "--baseline-device", "auto"}, 2, "--baseline-device names a device that is not in --devices");
    refuses({"sweep", "--markdown", "/no/such/folder/cells.md"}, 1, "/no/such/folder");
    refuses({"sweep", "--batch-sizes", ""}, 2, "--batch-sizes takes whole numbers with commas between them");
    refuses({"sweep", "--memory-limit", "1 apple"}, 2, "--memory-limit takes a number of bytes above 0");
}

} // namespace
} // namespace halfstep::app
