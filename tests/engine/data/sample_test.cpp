#include "engine/data/content_hash.h"
#include "engine/data/imagenette_names.h"
#include "engine/data/resize.h"
#include "engine/data/sample/sample_source.h"
#include "tests/engine/data/test_folders.h"
#include <gmock/gmock.h>
#include <memory>
#include <set>

namespace halfstep::data {
namespace {

/// Drawn once for all tests: 4,900 pictures.
class Sample : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder = std::make_unique<halfstep::testing::TemporaryFolder>();
        set = openDataset("sample", {.imageSize = 16, .cacheFolder = folder->path()});
    }
    static void TearDownTestSuite() {
        set.reset();
        folder.reset();
    }
    static inline std::unique_ptr<halfstep::testing::TemporaryFolder> folder;
    static inline std::shared_ptr<const Dataset> set;
};

TEST_F(Sample, HasTheTenClassesOfImagenetteAndSaysThatItIsDrawn) {
    const DatasetInfo& info = set->info();
    EXPECT_TRUE(info.drawn);
    EXPECT_EQ(info.displayName, "drawn sample");
    EXPECT_EQ(info.source, "sample");
    ASSERT_EQ(info.classes.size(), 10U);
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(info.classes[i].name, imagenetteClasses[i].name);
        EXPECT_EQ(info.classes[i].wnid, imagenetteClasses[i].wnid);
        EXPECT_EQ(info.classes[i].train, sampleTrainPerClass);
        EXPECT_EQ(info.classes[i].validation, sampleValidationPerClass);
    }
    EXPECT_TRUE(info.skipped.empty());
    EXPECT_TRUE(info.warnings.empty());
    EXPECT_EQ(set->photographs(Split::Train).at(0).format, "drawn");
}

TEST_F(Sample, IsTheSameOnEveryMachine) {
    ContentHash hash;
    for (int label = 0; label < 10; ++label) {
        for (int number = 0; number < 4; ++number) {
            hash.add(drawSamplePicture(Split::Validation, label, number).pixels);
        }
    }
    EXPECT_EQ(hash.text(), "ab53a8be4830c0882ff5fa8684129bc4");
}

TEST_F(Sample, NoTwoPicturesAreAlike) {
    std::set<std::string> seen;
    for (int number = 0; number < 30; ++number) {
        seen.insert(hashText(drawSamplePicture(Split::Train, 4, number).pixels));
        seen.insert(hashText(drawSamplePicture(Split::Validation, 4, number).pixels));
    }
    EXPECT_EQ(seen.size(), 60U);
}

TEST_F(Sample, TheOriginalIsThePictureAsPng) {
    const RgbImage original = decodeImage(set->original(Split::Validation, 123));
    EXPECT_EQ(original.format, "PNG");
    EXPECT_EQ(original.width, samplePictureSide);
    std::vector<std::uint8_t> resized(16 * 16 * 3);
    resizeToBytes(original.pixels, original.height, original.width, 16, resized);
    EXPECT_TRUE(std::ranges::equal(resized, set->pixels(Split::Validation, 123)));
}

} // namespace
} // namespace halfstep::data
