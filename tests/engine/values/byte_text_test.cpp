#include "engine/values/byte_text.h"
#include <gtest/gtest.h>

namespace halfstep::values {
namespace {

TEST(ByteText, UnitsArePowersOf1024Or1000) {
    EXPECT_EQ(bytesIn("4GiB"), 4ULL << 30);
    EXPECT_EQ(bytesIn("1.5 MiB"), 3ULL << 19);
    EXPECT_EQ(bytesIn("500MB"), 500'000'000U);
    EXPECT_EQ(bytesIn("1048576"), 1048576U);
}

TEST(ByteText, WhatIsNoAmountIsNothing) {
    for (const char* text : {"", "GiB", "0", "-1", "0.5", "4 gib", "4  GiB", "4GiB of it", "nan", "inf", "1e30 TB"}) {
        EXPECT_EQ(bytesIn(text), std::nullopt) << text;
    }
}

TEST(ByteText, AnAmountReadsBackExactly) {
    for (const std::uint64_t bytes :
         {1ULL, 1000ULL, 1024ULL, 300ULL << 20, 4ULL << 30, (4ULL << 30) + 1, 3ULL << 44}) {
        EXPECT_EQ(bytesIn(textOfBytes(bytes)), bytes) << textOfBytes(bytes);
    }
    EXPECT_EQ(textOfBytes(300ULL << 20), "300 MiB");
    EXPECT_EQ(textOfBytes(4'000'000'000), "3906250 KiB");
}

} // namespace
} // namespace halfstep::values
