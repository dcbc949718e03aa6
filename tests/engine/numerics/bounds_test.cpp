#include "tests/support/bounds.h"
#include "tests/support/tolerance.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

/// The check that random tensors stand on: it must refuse what it is there to refuse.
namespace halfstep::support {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool within(double got, double exact, double magnitude, DType dtype = DType::Float32) {
    return isWithin({{1}, {got}}, {{{1}, {exact}}, {{1}, {magnitude}}, kElementwise}, dtype);
}

TEST(Bounds, AllowWhatRoundingMayMakeAndNoMore) {
    EXPECT_TRUE(within(1 + 1e-6, 1, 1));
    EXPECT_FALSE(within(1 + 3e-6, 1, 1));
    EXPECT_FALSE(within(1 - 3e-6, 1, 1));
    EXPECT_TRUE(within(1e-5, 0, 100)) << "of terms that cancel";
    EXPECT_FALSE(within(1e-3, 0, 100));
    EXPECT_TRUE(within(0, 1e-45, 1e-45)) << "underflow";
}

TEST(Bounds, AllowOneRoundingToSixteenBits) {
    const double step = 0x1p-10;
    EXPECT_TRUE(within(1, 1 + 0.49 * step, 1, DType::Float16));
    EXPECT_FALSE(within(1 + step, 1 + 0.49 * step, 1, DType::Float16));
    EXPECT_TRUE(within(1, 1 + 0.5 * step, 1, DType::Float16)) << "beside a midpoint either side";
    EXPECT_TRUE(within(1 + step, 1 + 0.5 * step, 1, DType::Float16));
    EXPECT_FALSE(within(1 + 2 * step, 1 + 0.5 * step, 1, DType::Float16));
}

TEST(Bounds, KnowTheKindsThatAreNotFinite) {
    EXPECT_TRUE(within(kNan, kNan, 1));
    EXPECT_FALSE(within(1, kNan, 1));
    EXPECT_FALSE(within(kNan, 1, 1));
    EXPECT_TRUE(within(kInfinity, kInfinity, 1));
    EXPECT_FALSE(within(-kInfinity, kInfinity, 1));
    EXPECT_FALSE(within(3e38, kInfinity, 1));
    EXPECT_TRUE(within(kInfinity, 65536, 65536, DType::Float16)) << "overflow";
    EXPECT_FALSE(within(65504, 65536, 65536, DType::Float16));
    EXPECT_FALSE(within(kInfinity, 65504, 65504, DType::Float16));
    EXPECT_TRUE(within(kInfinity, 1, 3e38)) << "the terms' sum may overflow on the way";
}

TEST(Bounds, AreRefusedForAnotherShape) {
    EXPECT_FALSE(isWithin(zeros({2}), {zeros({1}), zeros({1}), kElementwise}, DType::Float32));
}

} // namespace
} // namespace halfstep::support
