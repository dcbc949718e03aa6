// Sweeps in the history and as files (sweep_store.cpp, sweep_export.cpp), with the times that utc_time.cpp writes.
#include "engine/store/run_store.h"
#include "engine/store/sqlite.h"
#include "engine/store/sweep_export.h"
#include "engine/store/sweep_store.h"
#include "engine/tensor/error.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace halfstep::store {
namespace {
using precision::Policy;
using testing::HasSubstr;
using testing::StartsWith;
using values::CellStatus;
using values::RunStatus;

values::Sweep twoCells() {
    values::Sweep sweep;
    sweep.config.policies = {Policy::Float32, Policy::MixedFloat16};
    sweep.environment.cpu = "a CPU";
    sweep.governor = "performance";
    sweep.dataName = "drawn sample";
    sweep.dataCacheBytes = 12;
    sweep.startedAt = "2026-12-03T00:00:00Z";
    for (const values::CellKey& key : cellsOf(sweep.config)) {
        sweep.cells.push_back({.key = key, .status = CellStatus::NotRun, .isa = "avx2"});
    }
    return sweep;
}

class SweepStoreFile : public testing::Test {
protected:
    support::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "runs.sqlite";
};

TEST_F(SweepStoreFile, KeepsCellsAndEveryRoundThatArrived) {
    const values::CellRound round{.round = 2, .position = 1, .stepMilliseconds = {3, 4}, .waitMilliseconds = {0, 0}};
    std::int64_t id = 0;
    {
        SweepStore store(file);
        id = store.begin(twoCells());
        store.addRound(id, 1, round);
        values::SweepCell cell = twoCells().cells[1];
        cell.status = CellStatus::Ok;
        store.setCell(id, 1, cell);
        store.finish(id, RunStatus::Stopped, "");
    }
    const auto found = SweepStore(file).sweep(id);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->config, twoCells().config);
    EXPECT_EQ(found->environment, twoCells().environment);
    EXPECT_EQ(found->governor, "performance");
    EXPECT_EQ(found->dataCacheBytes, 12U);
    EXPECT_EQ(found->status, RunStatus::Stopped);
    EXPECT_THAT(found->endedAt, testing::MatchesRegex("20..-..-..T..:..:..Z"));
    ASSERT_EQ(found->cells.size(), 2U);
    EXPECT_EQ(found->cells[0].status, CellStatus::NotRun);
    EXPECT_EQ(found->cells[1].status, CellStatus::Ok);
    ASSERT_EQ(found->cells[1].rounds.size(), 1U);
    EXPECT_EQ(found->cells[1].rounds[0], round);
}

TEST_F(SweepStoreFile, GoesOnOnlyWithASweepThatHasEnded) {
    SweepStore store(file);
    const std::int64_t id = store.begin(twoCells());
    EXPECT_THROW(store.reopen(id, twoCells().config), StoreError) << "it runs in this process";
    EXPECT_THROW(store.remove(id), StoreError);
    store.finish(id, RunStatus::Stopped, "");
    values::SweepConfig more = twoCells().config;
    more.repeats = 9;
    store.reopen(id, more);
    EXPECT_EQ(store.sweep(id)->status, RunStatus::Running);
    EXPECT_EQ(store.sweep(id)->config.repeats, 9);
    EXPECT_THROW(store.reopen(id + 1, more), StoreError);
}

TEST_F(SweepStoreFile, IsRemovedWithAllItsRounds) {
    SweepStore store(file);
    const std::int64_t id = store.begin(twoCells());
    store.addRound(id, 0, {.round = 1});
    store.finish(id, RunStatus::Finished, "");
    EXPECT_TRUE(store.remove(id));
    EXPECT_FALSE(store.remove(id));
    EXPECT_FALSE(store.sweep(id));
    EXPECT_EQ(Connection(file).number("SELECT count(*) FROM sweep_rounds"), 0);
    EXPECT_EQ(store.begin(twoCells()), id + 1) << "ids are never used again";
}

TEST_F(SweepStoreFile, AHistoryOfTheVersionBeforeGetsItsTables) {
    { const RunStore made(file); }
    {
        Connection connection(file);
        connection.execute("DROP TABLE sweeps");
        connection.execute("DROP TABLE sweep_cells");
        connection.execute("DROP TABLE sweep_rounds");
        connection.execute("PRAGMA user_version=2");
    }
    EXPECT_EQ(SweepStore(file).begin(twoCells()), 1);
}

TEST(SweepExport, CellsCsvHasTheColumnsOfTheContract) {
    values::Sweep sweep = twoCells();
    sweep.cells[0].status = CellStatus::Ok;
    sweep.cells[0].rounds = {{.round = 1, .stepMilliseconds = {2, 2}, .waitMilliseconds = {0, 0}, .peakBytes = 5}};
    sweep.cells[1].status = CellStatus::Oom;
    sweep.cells[1].freeBytes = 100;
    sweep.cells[1].largestBatch = 4;
    const std::string csv = cellsCsv(sweep);
    EXPECT_THAT(csv, StartsWith("policy,batch_size,device,isa,status,median_ms,q25_ms,q75_ms,ci_low_ms,ci_high_ms,"
                                "images_per_second,timed_steps,speedup,predicted_bytes,peak_bytes"));
    EXPECT_THAT(csv, HasSubstr("\nfloat32,32,cpu,avx2,ok,2,2,2,2,2,16000,2,1,,5,"));
    EXPECT_THAT(csv, HasSubstr("\nmixed_float16,32,cpu,avx2,oom,,,,,,,,,,,,,,,,100,4\n"));
    const auto json = sweepJson(sweep);
    EXPECT_EQ(json.at("cells").at(0).at("median_ms"), 2);
    EXPECT_EQ(json.at("cells").at(1).at("median_ms"), nullptr);
    EXPECT_EQ(json.at("cells").at(1).at("largest_batch"), 4);
}

} // namespace
} // namespace halfstep::store
