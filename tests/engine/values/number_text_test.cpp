#include "engine/values/number_text.h"
#include <bit>
#include <charconv>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <random>

namespace halfstep::values {
namespace {

TEST(NumberText, IsTheShortestThatReadsBack) {
    EXPECT_EQ(numberText(0.1), "0.1");
    EXPECT_EQ(numberText(32768), "32768");
    EXPECT_EQ(numberText(2.5), "2.5");
    EXPECT_EQ(numberText(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(numberText(-0.0), "-0");
    EXPECT_EQ(numberText(5e-324), "5e-324");
    EXPECT_EQ(numberText(0x1p127), "1.7014118346046923e+38");
}

TEST(NumberText, NamesWhatIsNotFinite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(numberText(nan), "nan");
    EXPECT_EQ(numberText(std::copysign(nan, -1.0)), "nan");
    EXPECT_EQ(numberText(HUGE_VAL), "inf");
    EXPECT_EQ(numberText(-HUGE_VAL), "-inf");
}

TEST(NumberText, EveryDoubleReadsBackToTheSameBits) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 100'000; ++i) {
        const double value = std::bit_cast<double>(random());
        if (std::isnan(value)) {
            continue;
        }
        const std::string text = numberText(value);
        double back = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), back);
        ASSERT_EQ(end.ptr, text.data() + text.size()) << text;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << text;
    }
}

} // namespace
} // namespace halfstep::values
