#include "app/cli/history_id.h"
#include "app/cli/sweep_options.h"
#include "engine/tensor/error.h"
#include <gmock/gmock.h>

namespace halfstep::app {
namespace {
using precision::Policy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(HistoryId, ANumberIsARunAndAnSBeforeItASweep) {
    EXPECT_EQ(historyIdFrom("ID", "3"), (HistoryId{HistoryId::Kind::Run, 3}));
    EXPECT_EQ(historyIdFrom("ID", "s12"), (HistoryId{HistoryId::Kind::Sweep, 12}));
    EXPECT_EQ(sweepIdFrom("--resume", "3"), 3);
    EXPECT_EQ(sweepIdFrom("--resume", "s3"), 3);
}

TEST(HistoryId, AnythingElseIsRefusedInOneSentence) {
    for (const char* wrong :
         {"", "s", "0", "s0", "-1", "s-1", "3s", "S3", " 3", "3.0", "ss3", "9223372036854775808"}) {
        EXPECT_THROW(sweepIdFrom("--resume", wrong), ConfigError) << wrong;
        try {
            historyIdFrom("ID", wrong);
            ADD_FAILURE() << wrong;
        } catch (const ConfigError& error) {
            EXPECT_EQ(error.what(),
                      "ID takes the number of a run, such as 3, or s and the number of a sweep, such as "
                      "s3, not \"" +
                          std::string(wrong) + "\".");
        }
    }
}

class Again : public testing::Test {
protected:
    Again() {
        m_sweep.id = 3;
        for (const char* isa : {"avx2", "sse4"}) {
            for (const Policy policy : {Policy::Float32, Policy::MixedFloat16}) {
                values::SweepCell cell{.key = {.policy = policy, .batchSize = 8, .isa = isa},
                                       .status = values::CellStatus::Ok};
                cell.rounds.push_back({.round = 1, .stepMilliseconds = {10, 10}, .waitMilliseconds = {0, 0}});
                m_sweep.cells.push_back(cell);
            }
        }
        m_sweep.cells[2].rounds[0].otherShare = 0.5;
    }
    values::Sweep m_sweep;
};

TEST_F(Again, DisturbedCellsAreThoseThatTheFiguresCallSo) {
    EXPECT_THAT(cellsAgain({.disturbed = true}, m_sweep), ElementsAre(2));
    m_sweep.cells[2].rounds[0].otherShare = 0.0;
    EXPECT_THAT(cellsAgain({.disturbed = true}, m_sweep), IsEmpty());
}

TEST_F(Again, ANamedCellIsMeantOnEveryInstructionSet) {
    EXPECT_THAT(cellsAgain({.cells = {{Policy::MixedFloat16, 8}}}, m_sweep), ElementsAre(1, 3));
    EXPECT_THAT(cellsAgain({.disturbed = true, .cells = {{Policy::MixedFloat16, 8}}}, m_sweep), ElementsAre(1, 2, 3));
}

TEST_F(Again, ACellThatIsNotThereIsNamed) {
    try {
        cellsAgain({.cells = {{Policy::Float32, 8}, {Policy::Float32, 9}}}, m_sweep);
        FAIL();
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("Sweep 3 has no cell float32:9; `halfstep runs show s3`"));
    }
}

} // namespace
} // namespace halfstep::app
