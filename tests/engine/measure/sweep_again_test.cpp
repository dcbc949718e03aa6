#include "engine/backend/backend.h"
#include "engine/backend/devices.h"
#include "engine/measure/sweep.h"
#include "engine/store/sweep_store.h"
#include "engine/tensor/error.h"
#include "engine/train/conduct_run.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>

namespace halfstep::measure {
namespace {
using precision::Policy;
using values::CellStatus;

class SweepAgain : public testing::Test {
protected:
    static values::SweepConfig config() {
        values::SweepConfig config;
        config.base.imageSize = 32;
        config.base.threads = 1;
        config.policies = {Policy::Float32, Policy::MixedFloat16};
        config.batchSizes = {4};
        config.steps = 2;
        config.warmup = 1;
        config.repeats = 2;
        config.input = values::SweepInput::Synthetic;
        return config;
    }

    values::Sweep stored(std::int64_t sweep) const { return *store::SweepStore(places.historyFile).sweep(sweep); }

    support::TemporaryFolder folder;
    train::Places places{.cacheFolder = folder.path(), .historyFile = folder.path() / "runs.sqlite"};
    values::SweepSink nobody = [](const values::SweepEvent&) {};
};

TEST_F(SweepAgain, ACellThatIsMeasuredAnewKeepsNothingOfItsOldRounds) {
    const values::Sweep first = runSweep(config(), places, nobody, {});
    const values::Sweep again = resumeSweep({.sweep = first.id, .anew = {1}}, places, nobody, {});
    EXPECT_EQ(again.cells[0], first.cells[0]) << "the others are as they were";
    ASSERT_EQ(again.cells[1].rounds.size(), 2U);
    EXPECT_NE(again.cells[1].rounds[0].stepMilliseconds, first.cells[1].rounds[0].stepMilliseconds);
    EXPECT_EQ(again.cells[1].rounds[0].loss, first.cells[1].rounds[0].loss) << "the same steps";
    EXPECT_EQ(stored(first.id).cells, again.cells);
}

TEST_F(SweepAgain, ACellThatCouldNotRunIsTriedAgain) {
    bool broken = true;
    const DeviceMaker maker = [&](const values::ExperimentConfig& experiment) {
        if (broken && experiment.policy == Policy::MixedFloat16) {
            throw BackendError("The device is away.");
        }
        return train::makeDevice(experiment, places);
    };
    const values::Sweep first = runSweep(config(), places, nobody, {}, maker);
    EXPECT_EQ(first.cells[1].status, CellStatus::Unsupported);
    broken = false;
    const values::Sweep again = resumeSweep({.sweep = first.id, .anew = {1}}, places, nobody, {}, maker);
    EXPECT_EQ(again.cells[1].status, CellStatus::Ok) << again.cells[1].message;
    EXPECT_EQ(again.cells[1].message, "");
    EXPECT_EQ(again.cells[1].isa, again.cells[0].isa);
    EXPECT_EQ(again.cells[1].rounds.size(), 2U);
    EXPECT_EQ(stored(first.id).cells, again.cells);
}

} // namespace
} // namespace halfstep::measure
