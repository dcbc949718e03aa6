#include "engine/data/data_loader.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <numeric>

namespace halfstep::data {
namespace {

using ::testing::ElementsAre;

/// Picture i is filled with the byte i and has label i % 3.
class NumberedPictures : public Dataset {
public:
    explicit NumberedPictures(int count) {
        m_info.imageSize = 2;
        for (int i = 0; i < count; ++i) {
            m_photographs.push_back({"", i % 3, 2, 2, 0, "drawn"});
            m_pixels.emplace_back(12, static_cast<std::uint8_t>(i));
        }
    }
    const DatasetInfo& info() const override { return m_info; }
    const std::vector<Photograph>& photographs(Split) const override { return m_photographs; }
    std::span<const std::uint8_t> pixels(Split, std::int64_t index) const override {
        return m_pixels.at(static_cast<std::size_t>(index));
    }
    std::vector<std::uint8_t> original(Split, std::int64_t) const override { return {}; }

private:
    DatasetInfo m_info;
    std::vector<Photograph> m_photographs;
    std::vector<std::vector<std::uint8_t>> m_pixels;
};

TEST(ShuffledOrder, IsTheSameOnEveryMachine) {
    EXPECT_THAT(shuffledOrder(10, 42, 1), ElementsAre(6, 0, 2, 8, 9, 7, 5, 3, 1, 4));
    EXPECT_THAT(shuffledOrder(10, 42, 2), ElementsAre(1, 0, 8, 3, 6, 4, 9, 7, 2, 5));
}

TEST(ShuffledOrder, IsAPermutationThatDiffersByEpochAndSeed) {
    auto order = shuffledOrder(9469, 1, 2);
    EXPECT_NE(order, shuffledOrder(9469, 2, 1));
    EXPECT_NE(order, shuffledOrder(9469, 1, 3));
    std::ranges::sort(order);
    std::vector<std::int64_t> all(9469);
    std::iota(all.begin(), all.end(), std::int64_t{0});
    EXPECT_EQ(order, all);
    EXPECT_TRUE(shuffledOrder(0, 1, 1).empty());
}

TEST(ShuffledOrder, PutsEveryPhotographAtEveryPlaceEquallyOften) {
    std::array<int, 16> counts{};
    constexpr int epochs = 8000;
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        const auto order = shuffledOrder(4, 5, epoch);
        for (std::size_t i = 0; i < 4; ++i) {
            ++counts[i * 4 + static_cast<std::size_t>(order[i])];
        }
    }
    for (const int count : counts) {
        EXPECT_NEAR(count, epochs / 4, 5 * 39); // five standard deviations of a binomial
    }
}

TEST(DataLoader, GathersInTheOrderGivenAndTheLastBatchMayBeSmaller) {
    DataLoader loader(std::make_shared<NumberedPictures>(7), Split::Train, {6, 0, 3, 5, 1}, 2);
    std::vector<int> sizes;
    std::vector<int> seen;
    while (const Batch* batch = loader.next()) {
        sizes.push_back(batch->size);
        ASSERT_EQ(batch->images.size(), static_cast<std::size_t>(batch->size) * 12);
        for (std::size_t i = 0; i < static_cast<std::size_t>(batch->size); ++i) {
            seen.push_back(batch->images[i * 12 + 11]);
            EXPECT_EQ(batch->photographs[i], batch->images[i * 12]);
            EXPECT_EQ(batch->labels[i], batch->photographs[i] % 3);
        }
    }
    EXPECT_THAT(sizes, ElementsAre(2, 2, 1));
    EXPECT_THAT(seen, ElementsAre(6, 0, 3, 5, 1));
    EXPECT_EQ(loader.next(), nullptr);
}

TEST(DataLoader, ABatchLargerThanTheSetIsOneBatch) {
    DataLoader loader(std::make_shared<NumberedPictures>(3), Split::Train, {0, 1, 2}, 100);
    EXPECT_EQ(loader.next()->size, 3);
    EXPECT_EQ(loader.next(), nullptr);
}

TEST(DataLoader, AnEmptyOrderHasNoBatch) {
    DataLoader loader(std::make_shared<NumberedPictures>(3), Split::Train, {}, 4);
    EXPECT_EQ(loader.next(), nullptr);
}

TEST(DataLoader, EndsCleanlyAtAnyTime) {
    const auto set = std::make_shared<NumberedPictures>(200);
    for (int round = 0; round < 50; ++round) {
        DataLoader loader(set, Split::Train, shuffledOrder(200, 1, round), 3);
        for (int i = 0; i < round % 5; ++i) {
            loader.next();
        }
    }
}

TEST(DataLoader, AnIndexOutsideTheSetReachesTheReader) {
    DataLoader loader(std::make_shared<NumberedPictures>(3), Split::Train, {0, 7}, 1);
    EXPECT_NE(loader.next(), nullptr);
    EXPECT_THROW(loader.next(), std::out_of_range);
    EXPECT_THROW(DataLoader(nullptr, Split::Train, {}, 1), ShapeError);
}

} // namespace
} // namespace halfstep::data
