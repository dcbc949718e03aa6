#include "engine/tensor/half.h"
#include "tests/support/random_numbers.h"
#include "tests/support/rounding.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace halfstep::support {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// One of the two 16-bit formats with its scalar conversions.
struct Format {
    DType dtype;
    float (*toFloat)(std::uint16_t);
    std::uint16_t (*fromFloat)(float);
};

class SixteenBitFormat : public testing::TestWithParam<Format> {
protected:
    /// "" if the scalar conversion of `value` is what the definition says.
    std::string complaint(float value) const {
        const std::uint16_t bits = GetParam().fromFloat(value);
        const double got = valueOfBits(GetParam().dtype, bits);
        const double expected = roundTo(GetParam().dtype, value);
        const bool right =
            std::isnan(expected) ? std::isnan(got) : got == expected && std::signbit(got) == std::signbit(expected);
        return right ? "" : testing::PrintToString(value) + " became " + testing::PrintToString(got);
    }
};

TEST_P(SixteenBitFormat, EveryPatternHasTheValueOfItsDefinition) {
    for (unsigned pattern = 0; pattern <= 0xFFFF; ++pattern) {
        const auto bits = static_cast<std::uint16_t>(pattern);
        const double expected = valueOfBits(GetParam().dtype, bits);
        const float got = GetParam().toFloat(bits);
        if (std::isnan(expected)) {
            ASSERT_TRUE(std::isnan(got)) << pattern;
        } else {
            ASSERT_EQ(got, expected) << pattern;
            ASSERT_EQ(std::signbit(got), std::signbit(expected)) << pattern;
        }
    }
}

TEST_P(SixteenBitFormat, EveryPatternSurvivesTheRoundTrip) {
    for (unsigned pattern = 0; pattern <= 0xFFFF; ++pattern) {
        const auto bits = static_cast<std::uint16_t>(pattern);
        const float value = GetParam().toFloat(bits);
        const std::uint16_t back = GetParam().fromFloat(value);
        if (std::isnan(value)) {
            ASSERT_TRUE(std::isnan(GetParam().toFloat(back))) << pattern;
        } else {
            ASSERT_EQ(back, bits);
        }
    }
}

TEST_P(SixteenBitFormat, MidpointsTieToEvenAndTheirNeighboursDoNot) {
    // Neighbouring magnitudes are neighbouring patterns, from 0 up to the largest finite one.
    for (std::uint16_t lower = 0; valueOfBits(GetParam().dtype, lower) < largestOf(GetParam().dtype); ++lower) {
        const auto upper = static_cast<std::uint16_t>(lower + 1);
        const std::uint16_t even = lower % 2 == 0 ? lower : upper;
        const auto midpoint = static_cast<float>(
            (valueOfBits(GetParam().dtype, lower) + valueOfBits(GetParam().dtype, upper)) / 2); // exact in float32
        ASSERT_EQ(GetParam().fromFloat(midpoint), even) << midpoint;
        ASSERT_EQ(GetParam().fromFloat(-midpoint), even | 0x8000) << -midpoint;
        ASSERT_EQ(GetParam().fromFloat(std::nextafter(midpoint, 0.0F)), lower) << midpoint;
        ASSERT_EQ(GetParam().fromFloat(std::nextafter(midpoint, kInfinity)), upper) << midpoint;
    }
}

TEST_P(SixteenBitFormat, TheOverflowEdgeIsHalfAStepAboveTheLargestFiniteValue) {
    const double largest = largestOf(GetParam().dtype);
    const auto edge = static_cast<float>(largest + stepAt(GetParam().dtype, largest) / 2);
    EXPECT_EQ(GetParam().toFloat(GetParam().fromFloat(edge)), kInfinity);
    EXPECT_EQ(GetParam().toFloat(GetParam().fromFloat(std::nextafter(edge, 0.0F))), largest);
    EXPECT_EQ(GetParam().toFloat(GetParam().fromFloat(-edge)), -kInfinity);
    EXPECT_EQ(GetParam().toFloat(GetParam().fromFloat(std::numeric_limits<float>::max())), kInfinity);
    EXPECT_EQ(GetParam().toFloat(GetParam().fromFloat(kInfinity)), kInfinity);
}

TEST_P(SixteenBitFormat, RandomFloatsRoundAsTheDefinitionSays) {
    RandomNumbers numbers(1);
    for (int i = 0; i < 300000; ++i) {
        const auto bits = static_cast<std::uint32_t>(numbers.next());
        // Half of them in float16's range: exponents from 2^-27 to 2^17.
        const auto exponent = static_cast<std::uint32_t>(100 + numbers.next() % 45);
        const std::uint32_t chosen = i % 2 == 0 ? bits : (bits & 0x807FFFFFu) | (exponent << 23);
        ASSERT_EQ(complaint(std::bit_cast<float>(chosen)), "") << std::hex << chosen;
    }
}

TEST_P(SixteenBitFormat, NanStaysNan) {
    for (const std::uint32_t bits : {0x7F800001u, 0x7FC00000u, 0x7FFFFFFFu, 0xFF800001u, 0xFFC00000u, 0xFFFFFFFFu}) {
        EXPECT_TRUE(std::isnan(GetParam().toFloat(GetParam().fromFloat(std::bit_cast<float>(bits))))) << bits;
    }
}

INSTANTIATE_TEST_SUITE_P(Both, SixteenBitFormat,
                         testing::Values(Format{DType::Float16, tensor::floatFromHalf, tensor::halfFromFloat},
                                         Format{DType::BFloat16, tensor::floatFromBfloat, tensor::bfloatFromFloat}),
                         [](const testing::TestParamInfo<Format>& format) {
                             return std::string(nameOf(format.param.dtype));
                         });

TEST(Float16, HasTheKnownValues) {
    using tensor::halfFromFloat;
    EXPECT_EQ(halfFromFloat(1.0F), 0x3C00);
    EXPECT_EQ(halfFromFloat(-0.0F), 0x8000);
    EXPECT_EQ(halfFromFloat(0.1F), 0x2E66);
    EXPECT_EQ(halfFromFloat(2049.0F), 0x6800); // 2048
    EXPECT_EQ(halfFromFloat(2051.0F), 0x6802); // 2052
    EXPECT_EQ(halfFromFloat(65519.99F), 0x7BFF);
    EXPECT_EQ(halfFromFloat(65520.0F), 0x7C00);
    EXPECT_EQ(halfFromFloat(0x1p-14F), 0x0400); // smallest normal
    EXPECT_EQ(halfFromFloat(0x1p-24F), 0x0001); // smallest subnormal
    EXPECT_EQ(halfFromFloat(0x1p-25F), 0x0000); // half of it ties to zero
    EXPECT_EQ(halfFromFloat(std::nextafter(0x1p-25F, 1.0F)), 0x0001);
    EXPECT_EQ(halfFromFloat(1e-7F), 0x0002); // Keras' epsilon of Adam
    EXPECT_EQ(halfFromFloat(1e-8F), 0x0000);
}

TEST(BFloat16, HasTheKnownValues) {
    using tensor::bfloatFromFloat;
    EXPECT_EQ(bfloatFromFloat(1.0F), 0x3F80);
    EXPECT_EQ(bfloatFromFloat(1.00390625F), 0x3F80); // tie, down to even
    EXPECT_EQ(bfloatFromFloat(1.01171875F), 0x3F82); // tie, up to even
    EXPECT_EQ(tensor::floatFromBfloat(bfloatFromFloat(257.0F)), 256.0F);
    EXPECT_EQ(bfloatFromFloat(std::bit_cast<float>(0x7F7F8000u)), 0x7F80); // infinity
    EXPECT_EQ(bfloatFromFloat(std::bit_cast<float>(0x7F7F7FFFu)), 0x7F7F);
    EXPECT_EQ(bfloatFromFloat(std::bit_cast<float>(0x00000001u)), 0x0000);
    EXPECT_EQ(bfloatFromFloat(std::bit_cast<float>(0x00018000u)), 0x0002);
}

} // namespace
} // namespace halfstep::support
