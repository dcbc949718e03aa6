#include "engine/data/pixel_rows.h"
#include "engine/data/resize.h"
#include "engine/tensor/error.h"
#include "engine/tensor/random.h"
#include "tests/engine/data/test_folders.h"
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace halfstep::data {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// The definition, in double, one output at a time.
double bilinearAt(const std::vector<std::uint8_t>& pixels, int height, int width, int size, int y, int x, int c) {
    const auto axis = [](int in, int out, int i) {
        const double source = (i + 0.5) * in / out - 0.5;
        const double low = std::floor(source);
        const int last = in - 1;
        return std::tuple(std::max(static_cast<int>(low), 0), std::min(static_cast<int>(low) + 1, last),
                          source - low);
    };
    const auto [top, bottom, down] = axis(height, size, y);
    const auto [left, right, across] = axis(width, size, x);
    const auto at = [&](int row, int column) {
        return static_cast<double>(pixels[static_cast<std::size_t>((row * width + column) * 3 + c)]);
    };
    const double upper = at(top, left) + (at(top, right) - at(top, left)) * across;
    const double lower = at(bottom, left) + (at(bottom, right) - at(bottom, left)) * across;
    return upper + (lower - upper) * down;
}

TEST(Resize, TwoByTwoToFourByFourIsHalfPixelBilinear) {
    const std::vector<float> pixels{0, 100, 200, 255};
    EXPECT_THAT(resizeBilinear(pixels, 2, 2, 1, 4, 4),
                ElementsAre(0, 25, 75, 100, 50, 72.1875F, 116.5625F, 138.75F, 150, 166.5625F, 199.6875F, 216.25F, 200,
                            213.75F, 241.25F, 255));
}

TEST(Resize, ShrinkingTakesNeighboursOfTheCentreAndDoesNotAntialias) {
    std::vector<float> stripes(64 * 64); // period 4: columns 0 0 255 255 would average to 127.5
    for (std::size_t i = 0; i < stripes.size(); ++i) {
        stripes[i] = i % 4 == 0 || i % 4 == 3 ? 255.0F : 0.0F;
    }
    EXPECT_THAT(resizeBilinear(stripes, 64, 64, 1, 16, 16), Each(0.0F));
}

TEST(Resize, BytesAreTheRoundedFloats) {
    tensor::Random random(7);
    for (const auto& [height, width, size] :
         {std::tuple(7, 5, 16), {64, 48, 16}, {1, 1, 5}, {31, 224, 33}, {3, 200, 1}, {16, 16, 16}}) {
        std::vector<std::uint8_t> pixels(static_cast<std::size_t>(height * width * 3));
        for (auto& p : pixels) {
            p = static_cast<std::uint8_t>(random.below(256));
        }
        std::vector<std::uint8_t> target(static_cast<std::size_t>(size * size * 3));
        resizeToBytes(pixels, height, width, size, target);
        const std::vector<float> floats(pixels.begin(), pixels.end());
        const auto resized = resizeBilinear(floats, height, width, 3, size, size);
        for (int i = 0; i < size * size * 3; ++i) {
            const auto k = static_cast<std::size_t>(i);
            ASSERT_EQ(target[k], std::lrint(resized[k])) << height << "x" << width << " to " << size << " at " << i;
            ASSERT_NEAR(resized[k], bilinearAt(pixels, height, width, size, i / 3 / size, i / 3 % size, i % 3), 1e-2);
        }
    }
}

TEST(Resize, HalvesGoToTheEvenNumber) {
    const std::vector<std::uint8_t> pixels{0, 1, 2, 1, 2, 3}; // one row: means 0.5, 1.5, 2.5
    std::vector<std::uint8_t> target(3);
    resizeToBytes(pixels, 1, 2, 1, target);
    EXPECT_THAT(target, ElementsAre(0, 2, 2));
}

TEST(PixelSums, AreThoseOfAPlainLoopForAnyLength) {
    tensor::Random random(3);
    for (const std::size_t count : {0UL, 1UL, 31UL, 100UL, 70'001UL}) {
        std::vector<std::uint8_t> pixels(3 * count);
        for (auto& p : pixels) {
            p = static_cast<std::uint8_t>(count == 70'001 ? 255 : random.below(256)); // the largest sums, too
        }
        PixelSums expected;
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            expected.sum[i % 3] += pixels[i];
            expected.squares[i % 3] += std::uint64_t{1} * pixels[i] * pixels[i];
        }
        const PixelSums sums = sumsOf(pixels);
        EXPECT_EQ(sums.sum, expected.sum) << count;
        EXPECT_EQ(sums.squares, expected.squares) << count;
    }
}

TEST(Resize, WrongSizesAreTheProgrammersMistake) {
    std::vector<std::uint8_t> target(3);
    EXPECT_THROW(resizeToBytes(std::vector<std::uint8_t>(5), 1, 2, 1, target), ShapeError);
    EXPECT_THROW(resizeBilinear(std::vector<float>(4), 2, 2, 1, 0, 2), ShapeError);
}

TEST(Resize, AgreesWithTheTableOfTensorFlowsResults) {
    const auto shared = halfstep::testing::sharedFolder();
    if (!shared) {
        GTEST_SKIP() << "the table is in ../shared, which is not here";
    }
    const halfstep::testing::TemporaryFolder folder;
    halfstep::testing::unpack(*shared / "cases" / "handover.tar.gz", folder.path());
    const auto table = nlohmann::json::parse(std::ifstream(folder.path() / "tables/handover/resize_bilinear.json"));
    const auto valuesOf = [](const nlohmann::json& matrix) { // [rows][columns] or [rows][columns][channels]
        std::vector<float> values;
        for (const auto& row : matrix) {
            for (const auto& column : row) {
                const auto channels = column.is_array() ? column : nlohmann::json::array({column});
                for (const auto& value : channels) {
                    values.push_back(value.get<float>());
                }
            }
        }
        return values;
    };
    for (const auto& entry : table.at("cases")) {
        const auto& input = entry.at("input");
        const int channels = input[0][0].is_array() ? static_cast<int>(input[0][0].size()) : 1;
        EXPECT_THAT(resizeBilinear(valuesOf(input), static_cast<int>(input.size()), static_cast<int>(input[0].size()),
                                   channels, entry.at("out_h"), entry.at("out_w")),
                    ::testing::Pointwise(::testing::FloatNear(1e-3F), valuesOf(entry.at("expected"))))
            << entry.at("name");
    }
}

} // namespace
} // namespace halfstep::data
