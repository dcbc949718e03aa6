#include "engine/analysis/number_shares.h"
#include <cmath>
#include <gtest/gtest.h>

namespace halfstep::analysis {
namespace {
using precision::NumberFormat;

values::TensorNumerics elementsAt(int exponent) {
    values::TensorNumerics tensor{.elements = 4};
    tensor.histogram.at(exponent) = 4;
    return tensor;
}

NumberShares at(int exponent, const NumberFormat& format, int scale = 0) {
    return sharesIn(elementsAt(exponent), format, scale);
}

TEST(NumberShares, AFormatsEdgesAreWhereIeee754PutsThem) {
    // float16: smallest subnormal 2^-24, smallest normal 2^-14, largest exponent 15.
    EXPECT_EQ(at(-26, precision::kFloat16).underflow, 1);
    EXPECT_EQ(at(-25, precision::kFloat16).subnormal, 1); // 2^-25 (1 + x) rounds up to 2^-24
    EXPECT_EQ(at(-15, precision::kFloat16).subnormal, 1);
    EXPECT_EQ(at(-14, precision::kFloat16).normal, 1);
    EXPECT_EQ(at(15, precision::kFloat16).normal, 1);
    EXPECT_EQ(at(16, precision::kFloat16).overflow, 1);
    // bfloat16: 2^-133, 2^-126, 127.
    EXPECT_EQ(at(-135, precision::kBFloat16).underflow, 1);
    EXPECT_EQ(at(-127, precision::kBFloat16).subnormal, 1);
    EXPECT_EQ(at(-126, precision::kBFloat16).normal, 1);
    EXPECT_EQ(at(127, precision::kBFloat16).normal, 1);
    // e4m3: 2^-9, 2^-6, 8; e5m2: 2^-16, 2^-14, 15.
    EXPECT_EQ(at(-11, precision::kFloat8E4M3).underflow, 1);
    EXPECT_EQ(at(-9, precision::kFloat8E4M3).subnormal, 1);
    EXPECT_EQ(at(-6, precision::kFloat8E4M3).normal, 1);
    EXPECT_EQ(at(9, precision::kFloat8E4M3).overflow, 1);
    EXPECT_EQ(at(-18, precision::kFloat8E5M2).underflow, 1);
    EXPECT_EQ(at(-16, precision::kFloat8E5M2).subnormal, 1);
    EXPECT_EQ(at(16, precision::kFloat8E5M2).overflow, 1);
}

TEST(NumberShares, AFormatsLargestNumberIsOfItsLargestExponent) {
    for (const NumberFormat& format : precision::kJudgedFormats) {
        EXPECT_EQ(std::ilogb(format.largest), format.highestExponent) << format.name;
        EXPECT_EQ(format.highestExponent + format.lowestExponent, format.name == "float8_e4m3" ? 2 : 1)
            << format.name;
    }
}

TEST(NumberShares, ALossScaleShiftsTheExponents) {
    EXPECT_EQ(at(-30, precision::kFloat16).underflow, 1);
    EXPECT_EQ(at(-30, precision::kFloat16, 15).subnormal, 1);
    EXPECT_EQ(at(-30, precision::kFloat16, 16).normal, 1);
    EXPECT_EQ(at(5, precision::kFloat16, 11).overflow, 1);
}

TEST(NumberShares, AddUpToOneAndKeepZerosAndInfinities) {
    values::TensorNumerics tensor{.elements = 16};
    tensor.histogram.zeros = 1;
    tensor.histogram.infinities = 1;
    tensor.histogram.nans = 2;
    tensor.histogram.at(-40) = 2;
    tensor.histogram.at(-20) = 4;
    tensor.histogram.at(0) = 5;
    tensor.histogram.at(20) = 1;
    EXPECT_EQ(sharesIn(tensor, precision::kFloat16), (NumberShares{.zero = 3.0 / 16,
                                                                   .subnormal = 4.0 / 16,
                                                                   .normal = 5.0 / 16,
                                                                   .nonFinite = 4.0 / 16,
                                                                   .underflow = 2.0 / 16,
                                                                   .overflow = 1.0 / 16}));
    for (const NumberFormat& format : precision::kJudgedFormats) {
        const NumberShares shares = sharesIn(tensor, format);
        EXPECT_EQ(shares.zero + shares.subnormal + shares.normal + shares.nonFinite, 1) << format.name;
    }
}

TEST(NumberShares, OfNothingAreZero) {
    EXPECT_EQ(sharesIn({}, precision::kFloat16), NumberShares());
}

} // namespace
} // namespace halfstep::analysis
