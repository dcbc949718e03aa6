#include "app/cli/arguments.h"
#include "app/cli/text.h"
#include "engine/tensor/error.h"
#include <gmock/gmock.h>

namespace halfstep::app {
namespace {

TEST(Bytes, AreReadWithTheirUnits) {
    EXPECT_EQ(bytesFrom("--m", "4GiB"), 4ull << 30);
    EXPECT_EQ(bytesFrom("--m", "1.5 MiB"), 3ull << 19);
    EXPECT_EQ(bytesFrom("--m", "500MB"), 500'000'000u);
    EXPECT_EQ(bytesFrom("--m", "2GB"), 2'000'000'000u);
    EXPECT_EQ(bytesFrom("--m", "1048576"), 1048576u);
    EXPECT_EQ(bytesFrom("--m", "7B"), 7u);
    for (const char* wrong : {"", "GiB", "-1", "0", "0.5", "4gib", "4 GiB ", "4G", "1e30", "nan", "inf", "4,5GiB"}) {
        EXPECT_THROW(bytesFrom("--m", wrong), ConfigError) << wrong;
    }
}

TEST(Numbers, AreReadWholeAndDecimal) {
    EXPECT_EQ(numberFrom<int>("--n", "010"), 10) << "no octal numbers";
    EXPECT_EQ(numberFrom<int>("--n", "-3"), -3);
    EXPECT_EQ(numberFrom<double>("--n", "1e-3"), 0.001);
    EXPECT_EQ(numberFrom<std::uint64_t>("--n", "18446744073709551615"), 18446744073709551615u);
    for (const char* wrong : {"", " 3", "3 ", "3.5", "0x20", "2147483648"}) {
        EXPECT_THROW(numberFrom<int>("--n", wrong), ConfigError) << wrong;
    }
    EXPECT_THROW(numberFrom<double>("--n", "0,5"), ConfigError);
    EXPECT_THROW(numberFrom<std::uint64_t>("--n", "-1"), ConfigError);
}

TEST(Text, SaysSizesAndTimes) {
    EXPECT_EQ(bytesText(0), "0 bytes");
    EXPECT_EQ(bytesText(1023), "1023 bytes");
    EXPECT_EQ(bytesText(1536), "1.5 KiB");
    EXPECT_EQ(bytesText((1u << 20) - 1), "1.0 MiB");
    EXPECT_EQ(bytesText(3ull << 30), "3.0 GiB");
    EXPECT_EQ(durationText(45), "45s");
    EXPECT_EQ(durationText(125), "2:05");
    EXPECT_EQ(durationText(3723), "1:02:03");
    EXPECT_EQ(millisecondsText(1980.4), "1980");
    EXPECT_EQ(millisecondsText(45.26), "45.3");
    EXPECT_EQ(millisecondsText(9.844), "9.84");
    EXPECT_EQ(percentText(0.6344), "63.4 %");
    EXPECT_EQ(percentText(0.00634), "0.63 %");
    EXPECT_EQ(percentText(9e-7), "<0.01 %");
    EXPECT_EQ(percentText(0), "0.00 %");
}

TEST(Text, CutsBetweenCharacters) {
    EXPECT_EQ(shortened("abc", 3), "abc");
    EXPECT_EQ(shortened("abcd", 3), "ab…");
    EXPECT_EQ(shortened("äöü", 3), "äöü");
    EXPECT_EQ(shortened("äöüß", 3), "äö…");
    EXPECT_EQ(columnsOf("äö…"), 3u);
}

} // namespace
} // namespace halfstep::app
