#include "engine/store/run_store.h"
#include "engine/tensor/error.h"
#include "tests/engine/store/child_process.h"
#include "tests/engine/store/file_content.h"
#include "tests/support/temporary_folder.h"
#include <bit>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <thread>

namespace halfstep::store {
namespace {
using testing::ElementsAre;
using testing::IsEmpty;
using values::EpochRecord;
using values::ExperimentConfig;
using values::RunStatus;
using values::RunSummary;
using values::StepRecord;

StepRecord stepNumber(std::int64_t step, double milliseconds = 10) {
    return {.step = step,
            .epoch = static_cast<int>((step - 1) / 4) + 1,
            .batchSize = 32,
            .loss = 2.0 / static_cast<double>(step),
            .accuracy = 0.25,
            .stepMilliseconds = milliseconds,
            .dataWaitMilliseconds = 0.1,
            .lossScale = 32768,
            .skipped = step == 1};
}

class RunStoreFile : public testing::Test {
protected:
    support::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "runs.sqlite";
};

TEST_F(RunStoreFile, KeepsARunWithAllItsSettings) {
    const ExperimentConfig config{
        .name = "eins", .policy = precision::Policy::MixedFloat16, .batchSize = 8, .steps = 5};
    const values::Environment environment{.cpu = "a CPU", .cores = 2, .threads = 2, .isa = "avx2"};
    RunSummary summary;
    {
        RunStore store(file);
        summary.run = store.begin(config, environment, "drawn sample");
        summary.status = RunStatus::Stopped;
        summary.steps = 5;
        summary.epochs = 1;
        summary.skippedSteps = 1;
        summary.medianStepMilliseconds = 12.5;
        summary.peakBytes = 1 << 20;
        summary.loss = 0.5;
        summary.accuracy = 0.75;
        summary.message = "Stopped on request.";
        store.finish(summary.run, summary);
    }
    const auto run = RunStore(file).run(summary.run);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->status, RunStatus::Stopped);
    EXPECT_EQ(run->config, config);
    EXPECT_EQ(run->environment, environment);
    EXPECT_EQ(run->dataName, "drawn sample");
    EXPECT_THAT(run->startedAt, testing::MatchesRegex("....-..-..T..:..:..Z"));
    EXPECT_THAT(run->endedAt, testing::MatchesRegex("....-..-..T..:..:..Z"));
    EXPECT_EQ(run->stepsDone, 5);
    EXPECT_EQ(run->skippedSteps, 1);
    EXPECT_EQ(run->epochsDone, 1);
    EXPECT_EQ(run->medianStepMilliseconds, 12.5);
    EXPECT_EQ(run->peakBytes, 1 << 20);
    EXPECT_EQ(run->loss, 0.5);
    EXPECT_EQ(run->accuracy, 0.75);
    EXPECT_EQ(run->message, "Stopped on request.");
}

TEST_F(RunStoreFile, KeepsEveryRecordToTheBit) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    std::vector<StepRecord> steps{stepNumber(1), stepNumber(2), stepNumber(3), stepNumber(4), stepNumber(5)};
    steps[0].loss = -0.0;
    steps[1].loss = 5e-324;
    steps[2].loss = HUGE_VAL;
    steps[3].loss = 0.1 + 0.2;
    steps[4].lossScale.reset();
    const std::vector<EpochRecord> epochs{
        {.epoch = 1, .loss = 1.5, .accuracy = 0.5, .valLoss = -HUGE_VAL, .valAccuracy = 0.25, .seconds = 3.5},
        {.epoch = 2, .loss = 1.25, .accuracy = 0.5, .seconds = 3.25}};

    RunStore store(file);
    const auto run = store.begin({}, {}, "set");
    for (const StepRecord& step : steps) {
        store.record(run, step);
    }
    for (const EpochRecord& epoch : epochs) {
        store.record(run, epoch);
    }
    StepRecord diverged = stepNumber(6);
    diverged.loss = kNan;
    store.record(run, diverged);

    std::vector<StepRecord> kept = RunStore(file).steps(run);
    ASSERT_EQ(kept.size(), 6u);
    EXPECT_TRUE(std::isnan(kept.back().loss));
    EXPECT_TRUE(std::signbit(kept.front().loss)) << "-0 must not become 0";
    kept.pop_back();
    EXPECT_EQ(kept, steps);
    EXPECT_EQ(store.epochs(run), epochs);
}

TEST_F(RunStoreFile, ListsRunsNewestFirstWithTheirLastEpoch) {
    RunStore store(file);
    const auto first = store.begin({.name = "first"}, {}, "set");
    const auto second = store.begin({.name = "second"}, {}, "set");
    store.record(first, EpochRecord{.epoch = 1, .loss = 3});
    store.record(first, EpochRecord{.epoch = 2, .loss = 2, .valLoss = 2.5});
    const auto runs = store.runs();
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0].id, second);
    EXPECT_FALSE(runs[0].lastEpoch);
    EXPECT_EQ(runs[1].config.name, "first");
    ASSERT_TRUE(runs[1].lastEpoch);
    EXPECT_EQ(runs[1].lastEpoch->epoch, 2);
    EXPECT_EQ(runs[1].lastEpoch->valLoss, 2.5);
}

TEST_F(RunStoreFile, ARunOfALivingProcessIsRunningAndCounted) {
    RunStore store(file);
    const auto run = store.begin({}, {}, "set");
    store.record(run, stepNumber(1));
    store.record(run, stepNumber(2));
    const auto seen = RunStore(file).run(run);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->status, RunStatus::Running);
    EXPECT_EQ(seen->stepsDone, 2);
    EXPECT_EQ(seen->skippedSteps, 1);
}

TEST_F(RunStoreFile, ARunOfADeadProcessIsInterruptedAndKeepsEveryRecord) {
    const std::filesystem::path path = file;
    ASSERT_EQ(inChildProcess([path] {
                  auto* store = new RunStore(path); // never closed, as in a process that is killed
                  const auto run = store->begin({}, {}, "set");
                  for (int step = 1; step <= 10; ++step) {
                      store->record(run, stepNumber(step, step));
                  }
                  store->record(run, EpochRecord{.epoch = 1, .loss = 1});
                  store->record(run, EpochRecord{.epoch = 2, .loss = 0.5});
                  return static_cast<int>(run);
              }),
              1);
    RunStore store(file);
    const auto run = store.run(1);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->status, RunStatus::Interrupted);
    EXPECT_EQ(run->endedAt, "");
    EXPECT_EQ(run->stepsDone, 10);
    EXPECT_EQ(run->skippedSteps, 1);
    EXPECT_EQ(run->epochsDone, 2);
    EXPECT_EQ(run->medianStepMilliseconds, 7.0);                       // of 4 to 10
    EXPECT_DOUBLE_EQ(run->loss.value_or(0), (2.0 / 9 + 2.0 / 10) / 2); // epoch 3: steps 9 and 10
    EXPECT_EQ(store.steps(1).size(), 10u);
    EXPECT_TRUE(store.remove(1));
}

TEST_F(RunStoreFile, AProcessThatDiesLaterIsSeenByAnOpenStore) {
    RunStore store(file);
    const std::filesystem::path path = file;
    inChildProcess([path] { return static_cast<int>((new RunStore(path))->begin({}, {}, "set")); });
    ASSERT_EQ(store.runs().size(), 1u);
    EXPECT_EQ(store.runs()[0].status, RunStatus::Interrupted);
}

TEST_F(RunStoreFile, RemovesARunWithItsRecordsAndNeverUsesItsIdAgain) {
    RunStore store(file);
    const auto run = store.begin({}, {}, "set");
    store.record(run, stepNumber(1));
    store.record(run, EpochRecord{.epoch = 1});
    EXPECT_THROW(store.remove(run), StoreError) << "it is still running";
    store.finish(run, {});
    EXPECT_TRUE(store.remove(run));
    EXPECT_FALSE(store.remove(run));
    EXPECT_FALSE(store.run(run));
    EXPECT_THAT(store.steps(run), IsEmpty());
    EXPECT_THAT(store.epochs(run), IsEmpty());
    EXPECT_EQ(store.begin({}, {}, "set"), run + 1);
}

TEST_F(RunStoreFile, ManyWritersMayOpenANewFileAtOnce) {
    constexpr int kWriters = 6, kFiles = 20; // who comes while the tables are being made is a matter of chance
    for (int number = 0; number < kFiles; ++number) {
        const auto shared = file.parent_path() / ("runs" + std::to_string(number) + ".sqlite");
        std::vector<std::thread> writers;
        for (int writer = 0; writer < kWriters; ++writer) {
            writers.emplace_back([&shared] {
                RunStore store(shared);
                const auto run = store.begin({}, {}, "set");
                for (int step = 1; step <= 10; ++step) {
                    store.record(run, stepNumber(step));
                }
                store.finish(run, {});
            });
        }
        for (std::thread& writer : writers) {
            writer.join();
        }
        RunStore store(shared);
        ASSERT_EQ(store.runs().size(), static_cast<std::size_t>(kWriters));
        for (const StoredRun& run : store.runs()) {
            EXPECT_EQ(store.steps(run.id).size(), 10u);
        }
    }
}

TEST_F(RunStoreFile, EventsThatAreNotFiguresAreNotKept) {
    RunStore store(file);
    const auto run = store.begin({}, {}, "set");
    store.record(run, values::Notice{.text = "hello"});
    store.record(run, values::ValidationProgress{.epoch = 1, .done = 1, .total = 2});
    EXPECT_THAT(store.steps(run), IsEmpty());
    EXPECT_THAT(store.epochs(run), IsEmpty());
}

} // namespace
} // namespace halfstep::store
