#include "engine/tensor/error.h"
#include "tests/engine/data/test_folders.h"
#include <gmock/gmock.h>
#include <opencv2/imgcodecs.hpp>

// The odd files of ../shared/data/odd.tar.gz: what becomes of each.

namespace halfstep::data {
namespace {

namespace fs = std::filesystem;
using halfstep::testing::reasonFor;
using ::testing::HasSubstr;

class OddFiles : public ::testing::Test {
protected:
    void SetUp() override {
        const auto shared = halfstep::testing::sharedFolder();
        if (!shared) {
            GTEST_SKIP() << "the odd files are in ../shared, which is not here";
        }
        halfstep::testing::unpack(*shared / "data" / "odd.tar.gz", m_folder.path() / "train");
    }
    halfstep::testing::TemporaryFolder m_folder;
};

TEST_F(OddFiles, EachIsUsedOrListedWithItsReasonAndNothingIsPrinted) {
    ::testing::internal::CaptureStderr();
    const auto set = halfstep::testing::open(m_folder.path(), m_folder.path() / "cache", 32);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    const std::vector<std::pair<const char*, const char*>> skipped{
        {"empty_0_bytes.JPEG", "empty"},
        {"gif_named.JPEG", "GIF"},
        {"html_named.JPEG", "HTML"},
        {"lying_65535x65535.JPEG", "65535 x 65535|cannot be decoded"},
        {"random_bytes.JPEG", "not a picture"},
        {"soi_only.JPEG", "truncated"},
        {"truncated_20000.JPEG", "truncated"},
        {"truncated_header.JPEG", "truncated"},
        {"zero_dims.JPEG", "no height"}};
    for (const auto& [name, reason] : skipped) {
        EXPECT_THAT(reasonFor(set->info(), std::string("train/odd/") + name).value_or("used"),
                    ::testing::ContainsRegex(reason))
            << name;
    }
    for (const SkippedFile& file : set->info().skipped) {
        EXPECT_TRUE(std::ranges::any_of(skipped, [&](const auto& s) { return file.path.ends_with(s.first); }))
            << file.path << ": " << file.reason;
    }
    EXPECT_EQ(set->info().found, 47); // without .DS_Store and ._n01440764_96.JPEG
    EXPECT_EQ(set->info().used, 47 - static_cast<std::int64_t>(skipped.size()));
}

TEST_F(OddFiles, PixelsAreThoseOfOpenCv) {
    const auto set = halfstep::testing::open(m_folder.path(), m_folder.path() / "cache", 32);
    const auto& photographs = set->photographs(Split::Train);
    for (std::size_t i = 0; i < photographs.size(); ++i) {
        const auto bytes = set->original(Split::Train, static_cast<std::int64_t>(i));
        const RgbImage image = decodeImage(bytes);
        EXPECT_EQ(image.width, photographs[i].width);
        EXPECT_EQ(image.height, photographs[i].height);
        const cv::Mat opencv = cv::imdecode(bytes, cv::IMREAD_COLOR);
        ASSERT_EQ(opencv.cols, image.width) << photographs[i].path;
        ASSERT_EQ(opencv.rows, image.height) << photographs[i].path;
        int largest = 0;
        for (std::size_t at = 0; at < image.pixels.size(); ++at) {
            const int other = opencv.data[at / 3 * 3 + 2 - at % 3];
            largest = std::max(largest, std::abs(image.pixels[at] - other));
        }
        EXPECT_LE(largest, photographs[i].path.find("cmyk") != std::string::npos ? 2 : 0) << photographs[i].path;
    }
}

} // namespace
} // namespace halfstep::data
