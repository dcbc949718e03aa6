// Replaces the process's `operator new`, so it stands in a program of its own: each allocation that a run makes on
// its thread, one run after the other, is refused as the system refuses one.
#include "engine/backend/backend.h"
#include "engine/tensor/error.h"
#include "engine/train/conduct_run.h"
#include "tests/engine/train/made_dataset.h"
#include "tests/engine/train/watched_new.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>
#include <new>
#include <set>

namespace {

thread_local std::int64_t untilRefused = -1; ///< allocations of this thread that are still given; below 0: all

bool isGiven() {
    return untilRefused < 0 || untilRefused-- != 0;
}

} // namespace

namespace halfstep::train {
namespace {

constexpr std::int64_t kNone = 1'000'000'000;

class ExhaustedMemory : public testing::Test {
protected:
    struct Ending {
        RunOutcome outcome;
        std::string message{}; ///< of an OutOfMemoryError
        std::int64_t allocations = 0;
    };

    /// A run whose allocation number `refusedOne` (from 0), counted from where it is running in the history, is
    /// refused. Anything but an OutOfMemoryError comes out.
    Ending runRefusing(std::int64_t refusedOne) {
        const std::shared_ptr<backend::Backend> device = backend::makeBackend({.threads = 2, .convolution = "fft"});
        store::RunStore store(history);
        RunOutcome outcome = outcomeToBe(config, *device, *dataset);
        run = store.begin(outcome.config, outcome.environment, "made");
        BegunRun begun{.device = device,
                       .dataset = dataset,
                       .store = std::move(store),
                       .start = {.run = run},
                       .outcome = std::move(outcome)};
        const Places places{.cacheFolder = {}, .historyFile = history};
        const values::EventSink quiet = [](const values::RunEvent&) {};
        Ending ending;
        tests::watchAllocations(isGiven);
        untilRefused = refusedOne;
        try {
            ending.outcome = conduct(std::move(begun), places, quiet, {});
            ending.allocations = refusedOne - untilRefused;
        } catch (const OutOfMemoryError& error) {
            untilRefused = -1;
            ending.message = error.what();
        } catch (...) {
            untilRefused = -1;
            throw;
        }
        untilRefused = -1;
        return ending;
    }

    // Without numbers of tensors, which are kept as JSON: nlohmann's destructor takes memory, and ends a program that
    // refuses it.
    values::ExperimentConfig config{.policy = precision::Policy::MixedFloat16,
                                    .batchSize = 8,
                                    .epochs = 1,
                                    .imageSize = 16,
                                    .seed = 3,
                                    .numericsEvery = 0};
    std::shared_ptr<const data::Dataset> dataset = tests::madeDataset(21, 10, 16);
    support::TemporaryFolder folder;
    std::filesystem::path history = folder.path() / "runs.sqlite";
    std::int64_t run = 0;
};

TEST_F(ExhaustedMemory, WhicheverAllocationIsRefusedTheRunEndsWithASentenceOrAsIfNothingHadBeen) {
    const Ending whole = runRefusing(kNone);
    ASSERT_GT(whole.allocations, 100);
    // Every one of the first steps, then fewer: what comes later repeats itself.
    std::int64_t failed = 0;
    std::set<std::string> places;
    for (std::int64_t one = 0; one < whole.allocations; one += 1 + one / 80) {
        Ending ending;
        ASSERT_NO_THROW(ending = runRefusing(one)) << one;
        const auto kept = store::RunStore(history).run(run);
        if (ending.message.empty()) { // somebody did without
            EXPECT_EQ(kept->status, ending.outcome.summary.status) << one;
            continue;
        }
        ++failed;
        EXPECT_NE(kept->status, values::RunStatus::Finished) << one;
        EXPECT_EQ(ending.message.back(), '.') << ending.message;
        EXPECT_EQ(ending.message.find("bad_alloc"), std::string::npos) << ending.message;
        places.insert(ending.message.substr(0, ending.message.find(" on batches")));
    }
    EXPECT_GT(failed, 50);
    EXPECT_GE(places.size(), 3U);
    const Ending after = runRefusing(kNone);
    EXPECT_EQ(after.outcome.summary.epochsLog.back().loss, whole.outcome.summary.epochsLog.back().loss);
}

} // namespace
} // namespace halfstep::train
