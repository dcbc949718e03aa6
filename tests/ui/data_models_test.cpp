#include "tests/ui/fake_dataset.h"
#include "ui/models/class_model.h"
#include "ui/models/photograph_model.h"
#include "ui/models/skipped_model.h"
#include "ui/models/table_text.h"
#include "ui/models/tensor_facts.h"
#include "ui/models/thumbnail.h"
#include "ui/models/thumbnail_loader.h"
#include <QTest>
#include <cmath>
#include <gmock/gmock.h>

namespace halfstep::ui {
namespace {

using testing::ElementsAre;

constexpr int kSide = 8;
constexpr qint64 kThumbnailBytes = kSide * kSide * 4;

TEST(Thumbnail, ShowsTheMiddleSquareOfAWidePhotograph) {
    // The outer quarters of a photograph twice as wide as high are red; the tensor holds them squeezed.
    constexpr int side = 16;
    std::vector<std::uint8_t> pixels(side * side * 3, 0);
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const bool outer = x < side / 4 || x >= 3 * side / 4;
            pixels[static_cast<std::size_t>((y * side + x) * 3 + (outer ? 0 : 2))] = 255;
        }
    }
    data::Photograph wide;
    wide.width = 200;
    wide.height = 100;
    const QImage thumbnail = thumbnailOf(pixels, side, wide, 32);
    ASSERT_EQ(thumbnail.size(), QSize(32, 32));
    for (const QPoint corner : {QPoint(0, 0), QPoint(31, 0), QPoint(0, 31), QPoint(31, 31)}) {
        EXPECT_EQ(thumbnail.pixelColor(corner), QColor(Qt::blue));
    }
}

TEST(ThumbnailLoader, MakesTheNewestRequestFirst) {
    const auto dataset = std::make_shared<FakeDataset>(100);
    ThumbnailLoader loader({.cacheBytes = 1 << 20, .waiting = 100, .threads = 1}, nullptr);
    loader.setSource(dataset, data::Split::Train, kSide);
    dataset->hold();
    for (const qint64 photograph : {0, 1, 2, 3}) {
        EXPECT_TRUE(loader.thumbnail(photograph).isNull());
    }
    dataset->letThrough(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return loader.made() == 4; }));
    const std::vector<std::int64_t> reads = dataset->reads();
    // The thread may have begun with any of them; from then on the newest that waits comes next.
    std::vector<std::int64_t> rest(reads.begin() + 1, reads.end());
    EXPECT_TRUE(std::is_sorted(rest.rbegin(), rest.rend()));
    EXPECT_FALSE(loader.thumbnail(3).isNull());
}

TEST(ThumbnailLoader, KeepsNoMoreBytesThanAllowed) {
    const auto dataset = std::make_shared<FakeDataset>(100);
    ThumbnailLoader loader({.cacheBytes = 10 * kThumbnailBytes, .waiting = 100, .threads = 2}, nullptr);
    loader.setSource(dataset, data::Split::Train, kSide);
    for (qint64 photograph = 0; photograph < 50; ++photograph) {
        loader.thumbnail(photograph);
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return loader.made() == 50; }));
    EXPECT_EQ(loader.cachedBytes(), 10 * kThumbnailBytes);
}

TEST(ThumbnailLoader, DropsTheOldestRequestsBeyondItsLimit) {
    const auto dataset = std::make_shared<FakeDataset>(1000);
    ThumbnailLoader loader({.cacheBytes = 1 << 20, .waiting = 5, .threads = 1}, nullptr);
    loader.setSource(dataset, data::Split::Train, kSide);
    dataset->hold();
    for (qint64 photograph = 0; photograph < 500; ++photograph) {
        loader.thumbnail(photograph);
    }
    dataset->letThrough(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return loader.made() >= 5; }));
    QTest::qWait(50);
    EXPECT_LE(loader.made(), 6); // five that waited and the one that had been begun
    EXPECT_FALSE(loader.thumbnail(499).isNull());
}

TEST(ThumbnailLoader, ForgetsASourceThatIsReplacedWhileItWorks) {
    const auto before = std::make_shared<FakeDataset>(10);
    const auto after = std::make_shared<FakeDataset>(10);
    ThumbnailLoader loader({.cacheBytes = 1 << 20, .waiting = 100, .threads = 1}, nullptr);
    QList<qint64> told;
    QObject::connect(&loader, &ThumbnailLoader::ready, &loader, [&](const QList<qint64>& ready) { told += ready; });
    loader.setSource(before, data::Split::Train, kSide);
    before->hold();
    loader.thumbnail(1);
    loader.setSource(after, data::Split::Train, kSide);
    loader.thumbnail(2);
    before->letThrough(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return loader.made() == 1; }));
    QTest::qWait(50);
    EXPECT_EQ(told, QList<qint64>{2});
}

TEST(PhotographModel, TouchesNoPixelsUntilAThumbnailIsAskedFor) {
    const auto dataset = std::make_shared<FakeDataset>(10'000);
    PhotographModel model;
    model.setSource(dataset, data::Split::Train, kSide);
    EXPECT_EQ(model.rowCount(), 10'000);
    EXPECT_EQ(model.index(9'999).data(PhotographModel::PathRole).toString(), "train/photo_9999.JPEG");
    EXPECT_TRUE(dataset->reads().empty());
    EXPECT_TRUE(model.index(5).data(Qt::DecorationRole).value<QImage>().isNull());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model.index(5).data(Qt::DecorationRole).value<QImage>().isNull(); }));
    EXPECT_THAT(dataset->reads(), ElementsAre(5));
}

TEST(PhotographModel, FiltersByClassAndText) {
    PhotographModel model;
    model.setSource(std::make_shared<FakeDataset>(100), data::Split::Train, kSide);
    model.setLabel(1);
    EXPECT_EQ(model.rowCount(), 50);
    EXPECT_EQ(model.photographAt(3), 7);
    model.setFilterText("PHOTO_9");
    EXPECT_EQ(model.rowCount(), 6); // 9, 91, 93, 95, 97, 99
    model.setLabel(std::nullopt);
    model.setFilterText("tenc");
    EXPECT_EQ(model.rowCount(), 50);
    model.setFilterText("nothing like it");
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(ClassModel, CountsOneSplitUnderAnEntryForAll) {
    ClassModel model;
    model.setSource({{"tench", "n01440764", 30, 4}, {"church", "", 10, 8}}, data::Split::Train);
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.index(0).data(ClassModel::CountRole).toLongLong(), 40);
    EXPECT_FALSE(model.index(0).data(ClassModel::ShareRole).isValid());
    EXPECT_DOUBLE_EQ(model.index(2).data(ClassModel::ShareRole).toDouble(), 10.0 / 30.0);
    model.setSource({{"tench", "n01440764", 30, 4}, {"church", "", 10, 8}}, data::Split::Validation);
    EXPECT_EQ(model.index(0).data(ClassModel::CountRole).toLongLong(), 12);
    EXPECT_EQ(ClassModel::labelAt(0), std::nullopt);
    EXPECT_EQ(ClassModel::labelAt(2), 1);
}

TEST(SkippedModel, IsCopiedWithItsHeadersAndWholeColumns) {
    SkippedModel model;
    model.setFiles(FakeDataset(2).info().skipped);
    EXPECT_EQ(tableText(model, {1, 0}, {0, 1}),
              "File\tReason\nval/b .png\tno picture\ntrain/n01440764/a.JPEG\tthe file is empty\n");
}

TEST(TensorFacts, AreThoseOfEachChannel) {
    const std::vector<std::uint8_t> pixels{0, 51, 7, 255, 153, 7}; // two pixels
    const auto channels = channelFactsOf(pixels);
    EXPECT_DOUBLE_EQ(channels[0].mean, 0.5);
    EXPECT_DOUBLE_EQ(channels[0].deviation, 0.5);
    EXPECT_DOUBLE_EQ(channels[1].mean, 102.0 / 255.0);
    EXPECT_DOUBLE_EQ(channels[1].minimum, 51.0 / 255.0);
    EXPECT_DOUBLE_EQ(channels[1].maximum, 153.0 / 255.0);
    EXPECT_DOUBLE_EQ(channels[2].deviation, 0);
    EXPECT_EQ(channels[2].histogram[7], 2);
}

TEST(StorageDifference, IsNoMoreThanHalfAUnitInTheLastPlace) {
    std::vector<std::uint8_t> all(256);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<std::uint8_t>(i);
    }
    const StorageDifference half = storageDifferenceOf(all, tensor::DType::Float16);
    const StorageDifference bfloat = storageDifferenceOf(all, tensor::DType::BFloat16);
    EXPECT_LE(half.largest, std::ldexp(1.0, -12));
    EXPECT_GT(half.largest, std::ldexp(1.0, -13));
    EXPECT_LE(bfloat.largest, std::ldexp(1.0, -9));
    EXPECT_GT(bfloat.largest, std::ldexp(1.0, -10));
    EXPECT_LT(half.rms, half.largest);
    EXPECT_DOUBLE_EQ(storageDifferenceOf(all, tensor::DType::Float32).largest, 0);
}

TEST(StorageDifference, IsGreyWhereTheStoredValueIsExact) {
    // 0 and 1 are exact in every format; 170 / 255 = 2/3 is rounded up in float16 and in bfloat16.
    const std::vector<std::uint8_t> pixels{0, 255, 170};
    for (const auto dtype : {tensor::DType::Float16, tensor::DType::BFloat16}) {
        const auto picture = amplifiedDifference(pixels, dtype, differenceGain(dtype));
        EXPECT_EQ(picture[0], 128);
        EXPECT_EQ(picture[1], 128);
        EXPECT_EQ(picture[2] > 128, storedValue(170, dtype) > 170 / 255.0f);
        EXPECT_NE(picture[2], 128);
    }
}

} // namespace
} // namespace halfstep::ui
