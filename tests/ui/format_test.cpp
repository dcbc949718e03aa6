#include "ui/format/format.h"
#include <gtest/gtest.h>
#include <limits>

using namespace halfstep;
using namespace halfstep::ui;

namespace {

TEST(Format, DecimalsAreReadWithCommaOrPoint) {
    EXPECT_EQ(readDecimal("0,001"), 0.001);
    EXPECT_EQ(readDecimal(" 0.001 "), 0.001);
    EXPECT_EQ(readDecimal("1e-3"), 0.001);
}

TEST(Format, WhatIsNoFiniteNumberIsNotRead) {
    for (const char* text : {"", "abc", "1,000.5", "1,000,000", "nan", "inf", "0.1x"}) {
        EXPECT_EQ(readDecimal(text), std::nullopt) << text;
    }
}

TEST(Format, ThreeDigitsAreSignificant) {
    EXPECT_EQ(significant(251.4), "251");
    EXPECT_EQ(significant(25.14), "25.1");
    EXPECT_EQ(significant(2.514), "2.51");
    EXPECT_EQ(significant(0.02514), "0.0251");
    EXPECT_EQ(significant(0), "0");
    EXPECT_EQ(significant(12345), "12345");
    EXPECT_EQ(significant(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(significant(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Format, TimesAreSaidAsPeopleSayThem) {
    EXPECT_EQ(aboutDuration(0.3), "less than a second");
    EXPECT_EQ(aboutDuration(8.2), "about 8 s");
    EXPECT_EQ(aboutDuration(59.7), "about 1 min");
    EXPECT_EQ(aboutDuration(25 * 60), "about 25 min");
    EXPECT_EQ(aboutDuration(3600), "about 1 h");
    EXPECT_EQ(aboutDuration(2 * 3600 + 9 * 60), "about 2 h 10 min");
    EXPECT_EQ(aboutDuration(3 * 86400), "about 3 days");
    EXPECT_EQ(duration(-1), absent());
}

TEST(Format, SizesHaveUnits) {
    EXPECT_EQ(bytes(0), "0 B");
    EXPECT_EQ(bytes(999), "999 B");
    EXPECT_EQ(bytes(480'000'000), "480 MB");
    EXPECT_EQ(bytes(900'000'000), "900 MB");
    EXPECT_EQ(bytes(999'600'000), "1.0 GB");
    EXPECT_EQ(bytes(23'000'000'000), "23 GB");
}

TEST(Format, ALossScaleIsAPowerOfTwoWhereItIsOne) {
    EXPECT_EQ(lossScale(32768), QStringLiteral("2¹⁵"));
    EXPECT_EQ(lossScale(1), QStringLiteral("2⁰"));
    EXPECT_EQ(lossScale(3), "3.00");
}

TEST(Format, SharesKeepTheDigitsThatTell) {
    const auto plain = [](QString text) { return text.replace(QChar(0x202F), ' '); };
    EXPECT_EQ(plain(sharePercent(0)), "0 %");
    EXPECT_EQ(plain(sharePercent(1e-6)), "<0.01 %");
    EXPECT_EQ(plain(sharePercent(0.0003)), "0.03 %");
    EXPECT_EQ(plain(sharePercent(0.003)), "0.3 %");
    EXPECT_EQ(plain(sharePercent(0.0412)), "4.1 %");
    EXPECT_EQ(plain(sharePercent(0.412)), "41 %");
    EXPECT_EQ(plain(sharePercent(0.9999)), ">99.9 %");
    EXPECT_EQ(plain(sharePercent(1)), "100 %");
    for (const auto& [share, text] : {std::pair(0.0, "0"),
                                      {1e-5, "<.1"},
                                      {0.003, "0.3"},
                                      {0.0412, "4.1"},
                                      {0.412, "41"},
                                      {0.999, ">99"},
                                      {1.0, "100"}}) {
        EXPECT_EQ(shortPercent(share), text);
    }
}

TEST(Format, PowersOfTwoHaveRaisedExponents) {
    EXPECT_EQ(powerOfTwo(15), QStringLiteral("2¹⁵"));
    EXPECT_EQ(powerOfTwo(-24), QStringLiteral("2⁻²⁴"));
}

TEST(Format, CountsAreGroupedFromTheRight) {
    EXPECT_EQ(count(9469).size(), 5);
    EXPECT_EQ(count(9469).right(3), "469");
    EXPECT_EQ(count(12), "12");
}

} // namespace
