// Memory that a sweep's cells do not get: by prediction and limit (case D02), and on the way, at every phase (D01).
#include "engine/backend/backend.h"
#include "engine/measure/sweep.h"
#include "engine/store/sweep_store.h"
#include "engine/tensor/error.h"
#include "engine/train/memory_plan.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/watched_device.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <new>
#include <ostream>
#include <set>

namespace halfstep::measure {
namespace {
using precision::Policy;
using testing::HasSubstr;
using values::CellStatus;
using values::RunStatus;

class SweepMemory : public testing::Test {
protected:
    SweepMemory() {
        config.base.imageSize = 16;
        config.base.threads = 2;
        config.policies = {Policy::Float32, Policy::MixedFloat16, Policy::MixedBFloat16};
        config.steps = 2;
        config.warmup = 1;
        config.repeats = 2;
        config.input = values::SweepInput::Synthetic;
    }

    values::Sweep run(const values::SweepConfig& of, DeviceMaker makeDevice = {}) const {
        return runSweep(
            of, places, [](const values::SweepEvent&) {}, {}, std::move(makeDevice));
    }
    values::Sweep kept(const values::Sweep& sweep) const {
        return *store::SweepStore(places.historyFile).sweep(sweep.id);
    }
    /// The losses of the rounds of every cell that has some.
    static std::map<std::pair<int, Policy>, std::vector<double>> lossesOf(const values::Sweep& sweep) {
        std::map<std::pair<int, Policy>, std::vector<double>> losses;
        for (const values::SweepCell& cell : sweep.cells) {
            for (const values::CellRound& round : cell.rounds) {
                losses[{cell.key.batchSize, cell.key.policy}].push_back(*round.loss);
            }
        }
        return losses;
    }
    static std::shared_ptr<backend::Backend> deviceFor(const values::ExperimentConfig& experiment) {
        return backend::makeBackend({.threads = experiment.threads, .memoryLimitBytes = experiment.memoryLimitBytes});
    }

    values::SweepConfig config;
    support::TemporaryFolder folder;
    train::Places places{.cacheFolder = {}, .historyFile = folder.path() / "runs.sqlite"};
};

/// The grid of case D02 below a limit that holds batches of 64, with the verbs that each cell's steps were made of.
class GridWithTwoSizesTooLarge : public SweepMemory {
protected:
    GridWithTwoSizesTooLarge() {
        config.batchSizes = {32, 65536, 64, 131072, 16};
        values::ExperimentConfig largest = config.base;
        largest.batchSize = 64;
        const auto device = deviceFor(largest);
        config.base.memoryLimitBytes = 0;
        for (const Policy policy : config.policies) {
            largest.policy = policy;
            config.base.memoryLimitBytes = std::max(*config.base.memoryLimitBytes,
                                                    train::predictMemory(train::planOf(largest, 10), *device).peak);
        }
        sweep = run(config, [this](const values::ExperimentConfig& experiment) {
            return support::watchedDevice(deviceFor(experiment), [this, experiment](std::string_view verb) {
                verbs[{experiment.batchSize, experiment.policy}].insert(std::string(verb));
            });
        });
    }
    static bool tooLarge(const values::SweepCell& cell) { return cell.key.batchSize > 64; }

    std::map<std::pair<int, Policy>, std::set<std::string>> verbs;
    values::Sweep sweep;
};

TEST_F(GridWithTwoSizesTooLarge, SaysOutOfMemoryThereWithBytesAndTheLargestBatchThatFits) {
    EXPECT_EQ(sweep.status, RunStatus::Finished);
    ASSERT_EQ(sweep.cells.size(), 15U);
    for (const values::SweepCell& cell : sweep.cells) {
        if (tooLarge(cell)) {
            EXPECT_EQ(cell.status, CellStatus::Oom);
            EXPECT_THAT(cell.message, testing::AllOf(HasSubstr("wants"), HasSubstr("are free")));
            EXPECT_GT(cell.predicted->peak, *cell.freeBytes);
            EXPECT_GE(*cell.largestBatch, 64);
            EXPECT_LT(*cell.largestBatch, 1024);
        } else {
            EXPECT_EQ(cell.status, CellStatus::Ok) << cell.message;
        }
    }
}

TEST_F(GridWithTwoSizesTooLarge, EveryOtherCellMadeWholeSteps) {
    for (const values::SweepCell& cell : sweep.cells) {
        const std::set<std::string>& made = verbs[{cell.key.batchSize, cell.key.policy}];
        if (tooLarge(cell)) {
            EXPECT_FALSE(made.contains("normalizeImages"));
            continue;
        }
        ASSERT_EQ(cell.rounds.size(), 2U);
        for (const char* verb : {"normalizeImages", "conv2dBiasRelu", "softmaxCrossEntropy", "conv2dBackwardData",
                                 "conv2dBackwardWeights", "unscale", "adam", "movingAverage"}) {
            EXPECT_TRUE(made.contains(verb)) << verb;
        }
        for (const values::CellRound& round : cell.rounds) {
            EXPECT_EQ(round.stepMilliseconds.size(), 2U);
            EXPECT_EQ(round.loss, cell.rounds[0].loss) << "from the same weights every time";
        }
    }
}

TEST_F(GridWithTwoSizesTooLarge, HasTheNumbersOfAGridWithoutThem) {
    values::SweepConfig without = config;
    without.batchSizes = {32, 64, 16};
    EXPECT_EQ(lossesOf(run(without)), lossesOf(sweep));
}

TEST_F(GridWithTwoSizesTooLarge, IsInTheHistoryWithTheCellsThatDidNotFit) {
    EXPECT_EQ(kept(sweep).cells, sweep.cells);
}

TEST_F(SweepMemory, WhereEverySizeIsTooLargeTheSweepEndsWithASentence) {
    config.batchSizes = {65536, 131072};
    config.base.memoryLimitBytes = std::uint64_t{40} << 20;
    const values::Sweep sweep = run(config);
    EXPECT_EQ(sweep.status, RunStatus::Finished);
    EXPECT_THAT(sweep.message, HasSubstr("None of the 6 cells could run"));
    EXPECT_EQ(kept(sweep).message, sweep.message);
}

struct Failure {
    const char* name;
    const char* verb;
    const char* where;
};

/// As a test names it, without the addresses of its texts.
void PrintTo(const Failure& failure, std::ostream* stream) {
    *stream << failure.name;
}
class SweepWithAFailureIn : public SweepMemory, public testing::WithParamInterface<Failure> {
protected:
    SweepWithAFailureIn() {
        config.policies = {Policy::Float32, Policy::MixedFloat16};
        config.batchSizes = {4, 8, 16};
    }
    static bool fails(const values::ExperimentConfig& experiment) {
        return experiment.batchSize == 8 && experiment.policy == Policy::Float32;
    }
    /// Devices whose memory fails in the verb, in the cell of batch 8 and float32.
    static DeviceMaker failing(const std::function<void()>& fail) {
        return [fail](const values::ExperimentConfig& experiment) {
            return support::watchedDevice(deviceFor(experiment), [fail, experiment](std::string_view verb) {
                if (fails(experiment) && verb == GetParam().verb) {
                    fail();
                }
            });
        };
    }
};

TEST_P(SweepWithAFailureIn, HasAnOutOfMemoryCellAndTheOthersAreAsWithoutIt) {
    auto expected = lossesOf(run(config));
    expected.erase({8, Policy::Float32});
    const std::vector<std::function<void()>> failures{
        [] { throw OutOfMemoryError("a tensor wants 3.0 MiB, of which only 1.0 MiB are free", ""); },
        [] { throw std::bad_alloc(); }};
    for (const auto& fail : failures) {
        const values::Sweep sweep = run(config, failing(fail));
        EXPECT_EQ(sweep.status, RunStatus::Finished);
        EXPECT_EQ(lossesOf(sweep), expected);
        EXPECT_EQ(kept(sweep).cells, sweep.cells);
        for (const values::SweepCell& cell : sweep.cells) {
            if (!fails(experimentOf(config, cell.key))) {
                EXPECT_EQ(cell.status, CellStatus::Ok) << cell.message;
                continue;
            }
            EXPECT_EQ(cell.status, CellStatus::Oom);
            EXPECT_THAT(cell.message,
                        testing::AllOf(HasSubstr(GetParam().where), HasSubstr("batches of 8 images of 16 x 16"),
                                       HasSubstr("free"), testing::EndsWith(".")));
            EXPECT_TRUE(cell.freeBytes);
            EXPECT_TRUE(cell.rounds.empty());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(EveryPhase, SweepWithAFailureIn,
                         testing::Values(Failure{"Network", "allocate", "before the first step"},
                                         Failure{"Upload", "normalizeImages", "at the upload of the batch of step 1"},
                                         Failure{"Forward", "batchNormTrain", "in the forward pass of step 1"},
                                         Failure{"Workspace", "conv2dBiasRelu", "in the forward pass of step 1"},
                                         Failure{"Backward", "conv2dBackwardData", "in the backward pass of step 1"},
                                         Failure{"Optimizer", "adam", "in the optimizer's update of step 1"}),
                         [](const auto& failure) { return failure.param.name; });

TEST_F(SweepMemory, ACellWhoseMemoryFailsLaterKeepsItsRoundsAndIsTriedNoMore) {
    config.policies = {Policy::Float32};
    config.batchSizes = {4, 8};
    config.repeats = 3;
    int devices = 0;
    const values::Sweep sweep = run(config, [&](const values::ExperimentConfig& experiment) {
        const bool fails = experiment.batchSize == 8 && ++devices == 3; // after its preparation and one round
        return support::watchedDevice(deviceFor(experiment), [fails](std::string_view verb) {
            if (fails && verb == "conv2dBiasRelu") {
                throw OutOfMemoryError("it wants more than there is", "");
            }
        });
    });
    EXPECT_EQ(sweep.cells[0].rounds.size(), 3U);
    EXPECT_EQ(sweep.cells[1].status, CellStatus::Oom);
    EXPECT_EQ(sweep.cells[1].rounds.size(), 1U);
    ASSERT_TRUE(sweep.cells[1].largestBatch);
    EXPECT_LT(*sweep.cells[1].largestBatch, 8) << "of what was given until then";
    EXPECT_EQ(kept(sweep).cells, sweep.cells);
}

} // namespace
} // namespace halfstep::measure
