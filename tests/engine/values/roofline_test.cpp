#include "engine/analysis/roofline.h"
#include <gtest/gtest.h>

namespace halfstep::analysis {
namespace {

/// 100 GFLOP/s and 20 GB/s: they meet at 5 FLOP/byte.
const values::Ceilings kCeilings{"avx2", 2, 100, 20, 10, 15};

values::ProfilePart part(double ms, double flops, double bytes) {
    return {.layer = "conv2d",
            .operation = "forward",
            .milliseconds = {ms, ms, ms},
            .flops = flops,
            .directFlops = 2 * flops,
            .bytes = bytes};
}

TEST(Roofline, RatesAreCountsOverTime) {
    const RooflinePoint point = rooflineOf(part(10, 5e8, 5e7), kCeilings);
    EXPECT_DOUBLE_EQ(point.intensity, 10);
    EXPECT_DOUBLE_EQ(point.gflops, 50);
    EXPECT_DOUBLE_EQ(point.directGflops, 100);
    EXPECT_DOUBLE_EQ(point.gbps, 5);
    EXPECT_DOUBLE_EQ(point.arithmeticMilliseconds, 5);
    EXPECT_DOUBLE_EQ(point.memoryMilliseconds, 2.5);
    EXPECT_DOUBLE_EQ(point.shareOfRoof, 0.5);
}

TEST(Roofline, TheLongerOfTheTwoBounds) {
    EXPECT_EQ(rooflineOf(part(10, 5e8, 5e7), kCeilings).bound, Bound::Arithmetic);
    EXPECT_EQ(rooflineOf(part(10, 5e7, 1e8), kCeilings).bound, Bound::Memory);
}

TEST(Roofline, WhatTakesFarLongerIsBoundByNeither) {
    EXPECT_EQ(rooflineOf(part(5 * kFarFromRoof - 0.1, 5e8, 5e7), kCeilings).bound, Bound::Arithmetic);
    EXPECT_EQ(rooflineOf(part(5 * kFarFromRoof + 0.1, 5e8, 5e7), kCeilings).bound, Bound::Neither);
}

TEST(Roofline, WithoutCountsOrTimeNothingIsSaid) {
    const RooflinePoint waiting = rooflineOf(part(3, 0, 0), kCeilings);
    EXPECT_EQ(waiting.bound, Bound::Unknown);
    EXPECT_EQ(waiting.intensity, 0);
    const RooflinePoint untimed = rooflineOf(part(0, 5e8, 5e7), kCeilings);
    EXPECT_EQ(untimed.gflops, 0);
    EXPECT_EQ(untimed.shareOfRoof, 0);
    EXPECT_EQ(rooflineOf(part(1, 1, 1), {}).bound, Bound::Unknown);
}

TEST(Roofline, TheRoofRisesToTheRidgeAndIsFlatFromThere) {
    EXPECT_DOUBLE_EQ(ridgeOf(kCeilings), 5);
    EXPECT_DOUBLE_EQ(roofAt(1, kCeilings), 20);
    EXPECT_DOUBLE_EQ(roofAt(5, kCeilings), 100);
    EXPECT_DOUBLE_EQ(roofAt(50, kCeilings), 100);
}

TEST(Roofline, EveryBoundHasItsName) {
    EXPECT_EQ(nameOf(Bound::Arithmetic), "arithmetic");
    EXPECT_EQ(nameOf(Bound::Memory), "memory");
    EXPECT_EQ(nameOf(Bound::Neither), "neither");
    EXPECT_EQ(nameOf(Bound::Unknown), "unknown");
}

} // namespace
} // namespace halfstep::analysis
