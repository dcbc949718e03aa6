#include "engine/data/decode.h"
#include "engine/data/exif_orientation.h"
#include "engine/tensor/error.h"
#include "tests/engine/data/test_folders.h"
#include <gmock/gmock.h>
#include <opencv2/imgcodecs.hpp>

namespace halfstep::data {
namespace {

using halfstep::testing::busyJpeg;
using halfstep::testing::pixelAt;
using halfstep::testing::plainPicture;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RgbImage decoded(const std::string& bytes) {
    return decodeImage({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::string reasonOf(const std::string& bytes) {
    try {
        decoded(bytes);
    } catch (const DataError& reason) {
        return reason.what();
    }
    return "used";
}

TEST(Decode, GivesRedGreenBlueInThatOrder) {
    for (const char* extension : {".png", ".bmp", ".tiff", ".jpg", ".webp"}) {
        const RgbImage image = decoded(plainPicture(5, 3, 250, 120, 10, extension));
        EXPECT_EQ(image.width, 5) << extension;
        EXPECT_EQ(image.height, 3) << extension;
        EXPECT_EQ(image.pixels.size(), 45U) << extension;
        const auto pixel = pixelAt(image, 4, 2);
        EXPECT_NEAR(pixel[0], 250, 4) << extension;
        EXPECT_NEAR(pixel[1], 120, 4) << extension;
        EXPECT_NEAR(pixel[2], 10, 4) << extension;
    }
}

TEST(Decode, JpegsAreBitForBitWhatOpenCvReads) {
    const std::string bytes = busyJpeg(67, 45);
    const cv::Mat encoded(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<char*>(bytes.data()));
    const cv::Mat opencv = cv::imdecode(encoded, cv::IMREAD_COLOR);
    const RgbImage image = decoded(bytes);
    for (int y = 0; y < opencv.rows; ++y) {
        for (int x = 0; x < opencv.cols; ++x) {
            const auto pixel = opencv.at<cv::Vec3b>(y, x);
            ASSERT_THAT(pixelAt(image, x, y), ElementsAre(pixel[2], pixel[1], pixel[0]));
        }
    }
}

TEST(Decode, NamesTheFormatByContent) {
    EXPECT_EQ(decoded(plainPicture(2, 2, 1, 2, 3, ".png")).format, "PNG");
    EXPECT_EQ(decoded(plainPicture(2, 2, 1, 2, 3, ".jpg")).format, "JPEG");
    EXPECT_EQ(decoded(plainPicture(2, 2, 1, 2, 3, ".bmp")).format, "BMP");
    EXPECT_EQ(decoded(plainPicture(2, 2, 1, 2, 3, ".webp")).format, "WebP");
    EXPECT_EQ(decoded(plainPicture(2, 2, 1, 2, 3, ".tiff")).format, "TIFF");
}

TEST(Decode, SaysWhatTheFileIsInstead) {
    EXPECT_EQ(reasonOf(""), "the file is empty");
    EXPECT_EQ(reasonOf(std::string(4096, '\0')), "the file holds only zeros");
    EXPECT_THAT(reasonOf("<!DOCTYPE html><html>404</html>"), HasSubstr("HTML"));
    EXPECT_THAT(reasonOf("path,noisy_labels_0\n"), HasSubstr("text"));
    EXPECT_THAT(reasonOf("\x01\x02\x03\xff\xfe"), HasSubstr("not a picture of a known format"));
    EXPECT_THAT(reasonOf("GIF89a123456"), HasSubstr("GIF"));
}

TEST(Decode, ATruncatedJpegIsRefusedWhereverItIsCut) {
    const std::string whole = busyJpeg(120, 80);
    for (std::size_t length = 2; length < whole.size(); length += 97) {
        const std::string reason = reasonOf(whole.substr(0, length));
        EXPECT_THAT(reason, HasSubstr("truncated")) << length;
    }
    EXPECT_THAT(reasonOf(whole.substr(0, whole.size() - 2)),
                HasSubstr("truncated")); // only the end marker is missing
    EXPECT_EQ(reasonOf(whole), "used");
}

TEST(Decode, ATruncatedJpegWithAnEndMarkerIsRefusedToo) {
    const std::string whole = busyJpeg(120, 80);
    EXPECT_THAT(reasonOf(whole.substr(0, whole.size() / 2) + "\xff\xd9"), HasSubstr("its data stop at row"));
}

TEST(Decode, BytesAfterTheEndOfAJpegDoNoHarm) {
    EXPECT_EQ(reasonOf(busyJpeg(20, 20) + std::string(5000, 'x')), "used");
}

TEST(Decode, WritesNothingToStandardErrorWhateverItReads) {
    const std::string whole = busyJpeg(64, 64);
    std::string flipped = whole;
    for (std::size_t i = whole.size() / 2; i < whole.size() - 4; i += 37) {
        flipped[i] = static_cast<char>(flipped[i] ^ 0x55);
    }
    std::string png = plainPicture(64, 64, 9, 9, 9);
    std::string badPng = png;
    badPng[badPng.size() - 20] = static_cast<char>(badPng[badPng.size() - 20] ^ 1);
    ::testing::internal::CaptureStderr();
    for (const std::string& bytes : {whole.substr(0, whole.size() / 2), flipped, badPng, png.substr(0, 60)}) {
        reasonOf(bytes);
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Decode, ADamagedOrCutPngIsRefused) {
    const std::string png = plainPicture(64, 64, 200, 9, 9);
    std::string bad = png;
    bad[bad.size() - 20] = static_cast<char>(bad[bad.size() - 20] ^ 1); // in IDAT
    EXPECT_THAT(reasonOf(bad), HasSubstr("checksum of its IDAT"));
    EXPECT_THAT(reasonOf(png.substr(0, png.size() - 12)), HasSubstr("truncated"));
}

TEST(Decode, RefusesClaimsOfTooManyPixelsBeforeDecoding) {
    std::string png = plainPicture(2, 2, 0, 0, 0);
    png.replace(16, 8, std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff", 8));
    EXPECT_THAT(reasonOf(png), HasSubstr("claims 2147483647 x 2147483647"));
    std::string jpeg = plainPicture(8, 8, 0, 0, 0, ".jpg");
    const auto frame = jpeg.find("\xff\xc0");
    ASSERT_NE(frame, std::string::npos);
    jpeg.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
    EXPECT_THAT(reasonOf(jpeg), HasSubstr("claims 65500 x 65500"));
}

TEST(Decode, APictureWithoutHeightIsRefused) {
    std::string jpeg = plainPicture(8, 8, 0, 0, 0, ".jpg");
    jpeg.replace(jpeg.find("\xff\xc0") + 5, 2, std::string(2, '\0'));
    EXPECT_THAT(reasonOf(jpeg), HasSubstr("no height"));
    std::string png = plainPicture(2, 2, 0, 0, 0);
    png.replace(16, 4, std::string(4, '\0'));
    EXPECT_THAT(reasonOf(png), HasSubstr("0 x 2"));
}

TEST(Decode, StopsOnRequest) {
    std::stop_source stop;
    stop.request_stop();
    const std::string bytes = busyJpeg(50, 50);
    EXPECT_THROW(decodeImage({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, stop.get_token()),
                 Cancelled);
}

TEST(Orientation, EachOfTheEightTurnsTheStoredPictureUpright) {
    // Upright: 1 2 3 / 4 5 6 in the red channel. Stored as a camera held in each way stores it.
    const std::vector<std::vector<int>> stored{{1, 2, 3, 4, 5, 6}, {3, 2, 1, 6, 5, 4}, {6, 5, 4, 3, 2, 1},
                                               {4, 5, 6, 1, 2, 3}, {1, 4, 2, 5, 3, 6}, {3, 6, 2, 5, 1, 4},
                                               {6, 3, 5, 2, 4, 1}, {4, 1, 5, 2, 6, 3}};
    for (int orientation = 1; orientation <= 8; ++orientation) {
        RgbImage image{orientation < 5 ? 3 : 2, orientation < 5 ? 2 : 3, {}, ""};
        for (const int red : stored[static_cast<std::size_t>(orientation - 1)]) {
            image.pixels.insert(image.pixels.end(), {static_cast<std::uint8_t>(red), 0, 0});
        }
        applyOrientation(image, orientation);
        EXPECT_EQ(image.width, 3);
        EXPECT_EQ(image.height, 2);
        std::vector<int> reds;
        for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
            reds.push_back(image.pixels[i]);
        }
        EXPECT_THAT(reds, ElementsAre(1, 2, 3, 4, 5, 6)) << orientation;
    }
}

TEST(Orientation, BrokenBlocksAndUnknownValuesMeanUpright) {
    const auto of = [](std::string bytes) {
        return exifOrientation({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    };
    const std::string head("MM\0*\0\0\0\x8\0\1\1\x12\0\3\0\0\0\1\0", 19);
    EXPECT_EQ(of(head + std::string("\6\0\0", 3)), 6);
    EXPECT_EQ(of(head + std::string("\11\0\0", 3)), 1);
    EXPECT_EQ(of(head), 1);
    EXPECT_EQ(of(std::string("II*\0\xff\xff\xff\xff", 8)), 1);
    EXPECT_EQ(of(""), 1);
}

} // namespace
} // namespace halfstep::data
