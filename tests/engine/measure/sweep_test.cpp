// Whole sweeps: their conduct (sweep.cpp), and how a cell is prepared and measured (sweep_cell.cpp).
#include "engine/backend/backend.h"
#include "engine/measure/sweep.h"
#include "engine/store/sweep_store.h"
#include "engine/tensor/error.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <set>

namespace halfstep::measure {
namespace {
using precision::Policy;
using values::CellStatus;
using values::RunStatus;

class SweepRun : public testing::Test {
protected:
    values::SweepConfig config() const {
        values::SweepConfig config;
        config.base.imageSize = 32;
        config.base.threads = 2;
        config.policies = {Policy::Float32, Policy::MixedFloat16};
        config.batchSizes = {4, 8};
        config.steps = 2;
        config.warmup = 1;
        config.repeats = 2;
        config.input = values::SweepInput::Synthetic;
        return config;
    }

    values::Sweep run(const values::SweepConfig& config, DeviceMaker makeDevice = {},
                      const train::RunControl& control = {}) {
        return runSweep(
            config, places, [this](const values::SweepEvent& event) { take(event); }, control, std::move(makeDevice));
    }

    void take(const values::SweepEvent& event) {
        if (const auto* plan = std::get_if<values::SweepPlan>(&event)) {
            plans.push_back(*plan);
        } else if (const auto* step = std::get_if<values::SweepStep>(&event)) {
            steps.push_back(*step);
            if (steps.size() == stopAfterSteps) {
                stop.request_stop();
            }
        } else if (const auto* notice = std::get_if<values::Notice>(&event); notice != nullptr && plans.empty()) {
            warningsBeforeThePlan.push_back(notice->text);
        } else if (const auto* changed = std::get_if<values::SweepCellChanged>(&event)) {
            order.push_back(changed->cell);
            left.push_back(changed->cellRoundsLeft);
        }
    }

    support::TemporaryFolder folder;
    train::Places places{.cacheFolder = {}, .historyFile = folder.path() / "runs.sqlite"};
    std::vector<values::SweepPlan> plans;
    std::vector<std::string> warningsBeforeThePlan;
    std::vector<values::SweepStep> steps;
    std::vector<std::size_t> order;
    std::vector<std::int64_t> left;
    std::stop_source stop;
    std::size_t stopAfterSteps = 0;
};

TEST_F(SweepRun, EveryRoundMeasuresEveryCellOnceFromTheSameWeights) {
    const values::Sweep sweep = run(config());
    EXPECT_EQ(sweep.status, RunStatus::Finished);
    ASSERT_EQ(sweep.cells.size(), 4U);
    ASSERT_EQ(order.size(), 8U);
    EXPECT_EQ(std::set(order.begin(), order.begin() + 4).size(), 4U);
    EXPECT_EQ(std::set(order.begin() + 4, order.end()).size(), 4U);
    EXPECT_EQ(left.back(), 0);
    for (const values::SweepCell& cell : sweep.cells) {
        EXPECT_EQ(cell.status, CellStatus::Ok) << cell.message;
        ASSERT_EQ(cell.rounds.size(), 2U);
        EXPECT_EQ(cell.rounds[0].warmupMilliseconds.size(), 1U);
        EXPECT_EQ(cell.rounds[0].stepMilliseconds.size(), 2U);
        EXPECT_EQ(cell.rounds[0].loss, cell.rounds[1].loss) << "the same steps in every round";
        EXPECT_EQ(cell.rounds[0].peakBytes, cell.predicted->peak);
        EXPECT_FALSE(cell.convolutions.empty());
    }
    EXPECT_EQ(plans.at(0).cellRounds, 8);
    EXPECT_EQ(store::SweepStore(places.historyFile).sweep(sweep.id)->cells, sweep.cells);
}

/// Case C04: before the first step it is said where 16 bits are not computed in.
TEST_F(SweepRun, EveryCellSaysWhatItIsComputedInAndAWarningComesBefore) {
    const values::Sweep sweep = run(config());
    for (const values::SweepCell& cell : sweep.cells) {
        EXPECT_EQ(cell.computedIn, "float32");
        EXPECT_THAT(cell.deviceText, testing::HasSubstr("CPU"));
    }
    ASSERT_EQ(warningsBeforeThePlan.size(), 1U) << "one for all cells of a policy";
    EXPECT_THAT(warningsBeforeThePlan[0],
                testing::AllOf(testing::HasSubstr("stored in float16"), testing::HasSubstr("computes in float32"),
                               testing::HasSubstr("may not be faster")));
}

TEST_F(SweepRun, ACellThatDoesNotFitIsOutOfMemoryAndTheOthersAreAsWithoutIt) {
    values::SweepConfig limited = config();
    limited.batchSizes = {4, 1024, 8};
    const values::Sweep without = run(config());
    limited.base.memoryLimitBytes = 0;
    for (const values::SweepCell& cell : without.cells) {
        limited.base.memoryLimitBytes = std::max(*limited.base.memoryLimitBytes, cell.predicted->peak);
    }
    const values::Sweep sweep = run(limited);
    EXPECT_EQ(sweep.status, RunStatus::Finished);
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const values::SweepCell& cell = sweep.cells[i];
        if (cell.key.batchSize == 1024) {
            EXPECT_EQ(cell.status, CellStatus::Oom);
            EXPECT_GT(cell.predicted->peak, *cell.freeBytes);
            EXPECT_GE(cell.largestBatch.value_or(0), 8);
            EXPECT_THAT(cell.message, testing::HasSubstr("Out of memory"));
        } else {
            EXPECT_EQ(cell.status, CellStatus::Ok) << cell.message;
            EXPECT_EQ(cell.rounds.at(0).loss, without.cells[i < 2 ? i : i - 2].rounds.at(0).loss);
        }
    }
}

TEST_F(SweepRun, WhereNothingFitsItEndsWithASentence) {
    values::SweepConfig tiny = config();
    tiny.base.memoryLimitBytes = 1024;
    const values::Sweep sweep = run(tiny);
    EXPECT_EQ(sweep.status, RunStatus::Finished);
    EXPECT_THAT(sweep.message, testing::AllOf(testing::HasSubstr("None of the 4 cells could run"),
                                              testing::HasSubstr("but 1024 bytes are free")));
    EXPECT_EQ(sweep.cells[0].largestBatch, 0);
}

TEST_F(SweepRun, ADeviceThatCannotBeHadIsACellThatSaysWhy) {
    values::SweepConfig withGpu = config();
    withGpu.devices = {"cpu", "cuda:7"};
    const values::Sweep sweep = run(withGpu);
    EXPECT_EQ(sweep.cells[0].status, CellStatus::Ok);
    EXPECT_EQ(sweep.cells[4].status, CellStatus::Unsupported);
    EXPECT_FALSE(sweep.cells[4].message.empty());
}

TEST_F(SweepRun, StoppedInAStepItGoesOnWithTheRoundsThatAreMissing) {
    stopAfterSteps = 8; // in the third cell of the first round
    const values::Sweep stopped = run(config(), {}, {.stop = stop.get_token()});
    EXPECT_EQ(stopped.status, RunStatus::Stopped);
    std::size_t rounds = 0;
    for (const values::SweepCell& cell : stopped.cells) {
        rounds += cell.rounds.size();
    }
    EXPECT_EQ(rounds, 2U);

    stopAfterSteps = 0;
    const values::Sweep resumed = resumeSweep({.sweep = stopped.id, .moreRounds = 1}, places,
                                              [this](const values::SweepEvent& event) { take(event); }, {});
    EXPECT_EQ(plans.at(1).cellRounds, 10);
    EXPECT_EQ(resumed.status, RunStatus::Finished);
    for (const values::SweepCell& cell : resumed.cells) {
        EXPECT_EQ(cell.rounds.size(), 3U);
    }
    const values::Sweep kept = *store::SweepStore(places.historyFile).sweep(stopped.id);
    EXPECT_EQ(kept.cells.size(), 4U);
    EXPECT_EQ(kept.cells[3].rounds.size(), 3U);
}

TEST_F(SweepRun, WhatCannotWorkIsRefusedBeforeAnythingIsKept) {
    values::SweepConfig wrong = config();
    wrong.batchSizes = {};
    EXPECT_THROW(run(wrong), ConfigError);
    EXPECT_TRUE(store::SweepStore(places.historyFile).sweeps().empty());
    EXPECT_THROW(resumeSweep({.sweep = 1}, places, [](const values::SweepEvent&) {}, {}), StoreError);
}

} // namespace
} // namespace halfstep::measure
