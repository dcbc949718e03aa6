#include "engine/measure/cell_batches.h"
#include "engine/measure/endless_order.h"
#include "engine/measure/machine_load.h"
#include "tests/engine/train/made_dataset.h"
#include <algorithm>
#include <gmock/gmock.h>

namespace halfstep::measure {
namespace {
using testing::ElementsAre;

TEST(EndlessOrder, IsOneEpochAfterTheOtherAndCutToWholeBatches) {
    const auto set = tests::madeDataset(5, 1, 16);
    const std::vector<std::int64_t> order = endlessOrder(*set, 7, 12);
    const std::vector<std::int64_t> first = data::shuffledOrder(5, 7, 1), second = data::shuffledOrder(5, 7, 2);
    ASSERT_EQ(order.size(), 12U);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), order.begin()));
    EXPECT_TRUE(std::equal(second.begin(), second.end(), order.begin() + 5));
}

TEST(CellBatches, OfASetSmallerThanABatchAreWhole) {
    const auto batches = pipelineBatches(tests::madeDataset(5, 1, 16), 7, 4, 3);
    for (int i = 0; i < 3; ++i) {
        const data::Batch& batch = batches->next();
        EXPECT_EQ(batch.size, 4);
        EXPECT_EQ(batch.images.size(), 4U * 16 * 16 * 3);
    }
}

TEST(CellBatches, OfNoiseAreTheSameForTheSameSeed) {
    const auto batches = syntheticBatches(16, 3, 7, 5), same = syntheticBatches(16, 3, 7, 5),
               other = syntheticBatches(16, 3, 8, 5);
    const data::Batch first = batches->next();
    EXPECT_THAT(first.labels, ElementsAre(0, 1, 2, 0, 1));
    EXPECT_EQ(first.images, batches->next().images);
    EXPECT_EQ(first.images, same->next().images);
    EXPECT_NE(first.images, other->next().images);
}

TEST(MachineLoad, OtherProcessesTakeAShareAndNotThisOnesTime) {
    const OtherProcesses others;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (std::chrono::steady_clock::now() < end) { // busy: this process's own time
    }
    ASSERT_TRUE(others.share());
    EXPECT_GE(*others.share(), 0);
    EXPECT_LE(*others.share(), 1);
    ASSERT_TRUE(loadAverage());
    EXPECT_GE(*loadAverage(), 0);
    if (const auto clock = clockMegahertz()) { // not every kernel tells
        EXPECT_GT(*clock, 100);
    }
}

} // namespace
} // namespace halfstep::measure
