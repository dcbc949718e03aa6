#include "engine/report/figure_text.h"
#include <gtest/gtest.h>

namespace halfstep::report {
namespace {

TEST(FigureText, MillisecondsHaveThreeOrFourFigures) {
    EXPECT_EQ(millisecondsText(1980.4), "1980");
    EXPECT_EQ(millisecondsText(99.96), "100");
    EXPECT_EQ(millisecondsText(45.26), "45.3");
    EXPECT_EQ(millisecondsText(9.996), "10.0");
    EXPECT_EQ(millisecondsText(9.84), "9.84");
    EXPECT_EQ(millisecondsText(analysis::Interval{9.84, 10.1}), "9.84 to 10.1");
}

TEST(FigureText, BytesHaveTheirUnit) {
    EXPECT_EQ(bytesText(0), "0 bytes");
    EXPECT_EQ(bytesText(1023), "1023 bytes");
    EXPECT_EQ(bytesText(1536), "1.5 KiB");
    EXPECT_EQ(bytesText((1U << 20U) - 1), "1.0 MiB");
}

TEST(FigureText, ASpeedUpHasItsInterval) {
    EXPECT_EQ(speedUpText({.ratio = 1.124, .interval = {1.08, 1.154}, .word = "1.12x faster"}),
              "1.12x faster (1.08 to 1.15)");
    EXPECT_EQ(speedUpText({.word = "baseline"}), "baseline");
}

TEST(FigureText, SharesBelowOneHundredthAreNotZero) {
    EXPECT_EQ(percentText(0), "0.00 %");
    EXPECT_EQ(percentText(1e-6), "<0.01 %");
    EXPECT_EQ(percentText(0.634), "63.4 %");
}

} // namespace
} // namespace halfstep::report
