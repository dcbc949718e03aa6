#include "engine/backend/devices.h"
#include "tests/engine/numerics/every_backend.h"
#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

namespace {

/// A set that is added to the kernels must be added to this folder's CMakeLists.txt.
TEST(NumericsTests, AreRunOnEveryInstructionSetOfThisMachine) {
    const std::string tested = std::string(",") + HALFSTEP_TESTED_ISAS + ",";
    const auto available = halfstep::backend::devices().front().isas;
    for (const std::string& isa : available) {
        EXPECT_NE(tested.find("," + isa + ","), std::string::npos) << isa;
    }
}

TEST(NumericsTests, RunOnTheInstructionSetThatIsUnderTest) {
    const std::string isa = halfstep::support::isaUnderTest();
    const std::string best = halfstep::backend::devices().front().isas.front();
    EXPECT_EQ(halfstep::support::makeTestBackend(1)->isa(), isa == "auto" ? best : isa);
}

} // namespace

/// Runs the tests on the instruction set that HALFSTEP_TEST_ISA names.
int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const std::string isa = halfstep::support::isaUnderTest();
    const auto available = halfstep::backend::devices().front().isas;
    if (isa != "auto" && std::find(available.begin(), available.end(), isa) == available.end()) {
        std::printf("Skipped: this CPU or build has no instruction set \"%s\".\n", isa.c_str());
        return 77;
    }
    return RUN_ALL_TESTS();
}
