// What is in the sample of a cell and what is not (case C01), by a clock that the test advances.
#include "engine/analysis/sweep_figures.h"
#include "engine/backend/backend.h"
#include "engine/measure/sweep_cell.h"
#include "tests/engine/train/made_dataset.h"
#include "tests/support/watched_device.h"
#include <gmock/gmock.h>

namespace halfstep::measure {
namespace {
using precision::Policy;
using testing::Each;
using values::CellKey;

/// A second for the upload of a batch in the first steps of a device, 5 ms in all others; 1 ms for every other verb.
constexpr int kSlowSteps = 2;

class CellRound : public testing::Test {
protected:
    CellRound() {
        config.base.imageSize = 16;
        config.base.threads = 2;
        config.steps = 12;
        config.warmup = kSlowSteps;
    }

    std::shared_ptr<backend::Backend> device(const values::ExperimentConfig&) {
        const auto uploads = std::make_shared<int>(0);
        return support::watchedDevice(backend::makeBackend({.threads = 2}), [this, uploads](std::string_view verb) {
            const bool upload = verb == "normalizeImages";
            now += std::chrono::milliseconds(!upload ? 1 : ++*uploads <= kSlowSteps ? 1000 : 5);
        });
    }

    values::SweepCell measured(const CellKey& key) {
        const DeviceMaker maker = [this](const values::ExperimentConfig& experiment) { return device(experiment); };
        values::SweepCell cell = preparedCell(config, key, 2, maker);
        const RoundTask task{.config = config,
                             .dataset = tests::madeDataset(103, 21, 16), // as A10/tiny103
                             .classes = 2,
                             .makeDevice = maker,
                             .report = [this](const values::SweepStep& step) { steps.push_back(step); },
                             .now = [this] { return now; }};
        measureRound(cell, 0, {.round = 1, .position = 1}, task, {});
        return cell;
    }

    values::SweepConfig config;
    std::chrono::steady_clock::time_point now;
    std::vector<values::SweepStep> steps;
};

TEST_F(CellRound, KeepsTheWarmUpApartAndItsTimeIsToldApart) {
    const values::SweepCell cell = measured({.policy = Policy::Float32, .batchSize = 10});
    ASSERT_EQ(cell.rounds.size(), 1U) << cell.message;
    EXPECT_EQ(cell.rounds[0].warmupMilliseconds.size(), 2U);
    EXPECT_THAT(cell.rounds[0].warmupMilliseconds, Each(testing::Gt(1000.0)));
    EXPECT_EQ(cell.rounds[0].stepMilliseconds.size(), 12U);
    EXPECT_THAT(cell.rounds[0].stepMilliseconds, Each(testing::Lt(1000.0)));

    values::Sweep sweep{.config = config, .cells = {cell}};
    const analysis::CellFigures figures = analysis::figuresOf(sweep)[0];
    EXPECT_EQ(figures.timedSteps, 12);
    EXPECT_EQ(figures.warmupSteps, 2);
    EXPECT_GT(*figures.warmupMilliseconds, 2000);
    EXPECT_EQ(*figures.median, cell.rounds[0].stepMilliseconds[0]);
}

TEST_F(CellRound, HasOnlyWholeBatchesAlsoWhereAnEpochEndsWithAPartOfOne) {
    // Two epochs of 103 pictures in batches of 10: every step is the same work, so it takes the same time.
    const values::SweepCell cell = measured({.policy = Policy::Float32, .batchSize = 10});
    ASSERT_EQ(cell.rounds.size(), 1U) << cell.message;
    EXPECT_GT(config.steps + config.warmup, 103 / 10 + 1);
    EXPECT_THAT(cell.rounds[0].stepMilliseconds, Each(cell.rounds[0].stepMilliseconds[0]));
    EXPECT_THAT(cell.rounds[0].waitMilliseconds, Each(0.0)) << "waiting for data is apart";
}

TEST_F(CellRound, IsTheSameForTheFirstCellAndForTheLast) {
    const std::vector<CellKey> grid{{.policy = Policy::Float32, .batchSize = 8},
                                    {.policy = Policy::MixedFloat16, .batchSize = 8},
                                    {.policy = Policy::Float32, .batchSize = 16},
                                    {.policy = Policy::MixedFloat16, .batchSize = 16}};
    std::vector<values::SweepCell> forwards, backwards;
    for (const CellKey& key : grid) {
        forwards.push_back(measured(key));
    }
    for (auto key = grid.rbegin(); key != grid.rend(); ++key) {
        backwards.insert(backwards.begin(), measured(*key));
    }
    for (std::size_t i = 0; i < grid.size(); ++i) {
        ASSERT_EQ(forwards[i].rounds.size(), 1U) << forwards[i].message;
        EXPECT_EQ(forwards[i].rounds[0].stepMilliseconds, backwards[i].rounds[0].stepMilliseconds);
        EXPECT_EQ(forwards[i].rounds[0].warmupMilliseconds, backwards[i].rounds[0].warmupMilliseconds);
        EXPECT_EQ(forwards[i].rounds[0].loss, backwards[i].rounds[0].loss);
    }
}

TEST_F(CellRound, TellsEveryStepWithWhetherItCounts) {
    measured({.policy = Policy::Float32, .batchSize = 8});
    ASSERT_EQ(steps.size(), 14U);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].step, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(steps[i].steps, 14);
        EXPECT_EQ(steps[i].warmup, i < 2);
    }
}

} // namespace
} // namespace halfstep::measure
