#include "engine/store/safetensors.h"
#include "engine/tensor/error.h"
#include "tests/engine/store/file_content.h"
#include "tests/support/temporary_folder.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <random>

namespace halfstep::store {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;

using Floats = std::vector<float>;
using Integers = std::vector<std::int64_t>;

template <typename T>
std::string bytesOf(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::string fileOf(const std::string& header, const std::string& data = {}) {
    return bytesOf(std::vector<std::uint64_t>{header.size()}) + header + data;
}

class Safetensors : public testing::Test {
protected:
    std::vector<SafetensorsArray> read(const std::string& content) {
        writeContent(m_folder.path() / "in.safetensors", content);
        return readSafetensors(m_folder.path() / "in.safetensors");
    }

    std::string refusal(const std::string& content) {
        try {
            read(content);
        } catch (const DataError& error) {
            EXPECT_THAT(error.what(), HasSubstr("in.safetensors"));
            return error.what();
        }
        return "nothing was refused";
    }

    support::TemporaryFolder m_folder;
};

TEST_F(Safetensors, WhatIsWrittenReadsBack) {
    const std::vector<SafetensorsArray> arrays{
        {"conv2d/kernel", {1, 2, 3}, Floats{1, -2, 3.5f, 1e-45f, HUGE_VALF, 0}},
        {"labels", {2}, Integers{7, -9}},
        {"loss", {}, Floats{2.25f}},
        {"empty", {0, 4}, Floats{}}};
    writeSafetensors(m_folder.path() / "out.safetensors", arrays);
    const auto back = readSafetensors(m_folder.path() / "out.safetensors");
    ASSERT_EQ(back.size(), arrays.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        EXPECT_EQ(back[i].name, arrays[i].name);
        EXPECT_EQ(back[i].shape, arrays[i].shape);
        EXPECT_EQ(back[i].values, arrays[i].values);
    }
}

TEST_F(Safetensors, TheDataBeginAtAMultipleOfEight) {
    writeSafetensors(m_folder.path() / "out", std::vector<SafetensorsArray>{{"x", {1}, Floats{1}}});
    std::uint64_t length = 0;
    std::memcpy(&length, contentOf(m_folder.path() / "out").data(), 8);
    EXPECT_EQ(length % 8, 0u);
}

TEST_F(Safetensors, OtherDtypesBecomeFloatAndInt64) {
    EXPECT_EQ(std::get<Floats>(read(fileOf(R"({"x":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}})",
                                           bytesOf(std::vector<double>{0.5, -3})))[0]
                                   .values),
              (Floats{0.5f, -3}));
    EXPECT_EQ(std::get<Floats>(read(fileOf(R"({"x":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})",
                                           bytesOf(std::vector<std::uint16_t>{0x3C00, 0xC000})))[0]
                                   .values),
              (Floats{1, -2}));
    EXPECT_EQ(std::get<Floats>(read(fileOf(R"({"x":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}})",
                                           bytesOf(std::vector<std::uint16_t>{0x3F80})))[0]
                                   .values),
              (Floats{1}));
    EXPECT_EQ(std::get<Integers>(read(fileOf(R"({"x":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})",
                                             bytesOf(std::vector<std::int32_t>{3, -4})))[0]
                                     .values),
              (Integers{3, -4}));
}

TEST_F(Safetensors, MetadataIsIgnoredAndTheOrderIsTheHeaders) {
    const auto arrays =
        read(fileOf(R"({"__metadata__":{"by":"pt"},"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]},)"
                    R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}   )",
                    bytesOf(Floats{1, 2})));
    ASSERT_EQ(arrays.size(), 2u);
    EXPECT_EQ(arrays[0].name, "b");
    EXPECT_EQ(std::get<Floats>(arrays[0].values), Floats{2});
    EXPECT_EQ(arrays[1].name, "a");
}

TEST_F(Safetensors, EveryMistakeIsASentence) {
    EXPECT_THAT(refusal(""), HasSubstr("0 bytes"));
    EXPECT_THAT(refusal("1234567"), HasSubstr("7 bytes"));
    EXPECT_THAT(refusal(bytesOf(std::vector<std::uint64_t>{~0ull})), HasSubstr("header"));
    EXPECT_THAT(refusal(bytesOf(std::vector<std::uint64_t>{100}) + "{}"), HasSubstr("header has 100 bytes"));
    EXPECT_THAT(refusal(fileOf("")), HasSubstr("not a JSON object"));
    EXPECT_THAT(refusal(fileOf("[1]")), HasSubstr("not a JSON object"));
    EXPECT_THAT(refusal(fileOf("{\"x\":")), HasSubstr("not a JSON object"));
    EXPECT_THAT(refusal(fileOf(R"({"x":3})")), HasSubstr("\"x\" lacks"));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"F32","shape":[1]}})")), HasSubstr("lacks"));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234")),
                HasSubstr("lacks"));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", "1234")),
                HasSubstr("lacks"));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"C64","shape":[1],"data_offsets":[0,4]}})", "1234")),
                HasSubstr("dtype \"C64\""));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", "1234")),
                HasSubstr("outside"));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "1234")),
                HasSubstr("outside"));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "1234")),
                HasSubstr("has 4 bytes"));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})")),
                HasSubstr("larger than the file"));
    EXPECT_THAT(refusal(fileOf(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                               R"("x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                               "1234")),
                HasSubstr("\"x\" comes twice"));
    EXPECT_THROW(readSafetensors(m_folder.path() / "missing"), DataError);
    EXPECT_THROW(readSafetensors(m_folder.path() / "."), DataError);
}

/// Damaged files give arrays or a DataError, never anything else; run under the sanitizers this says more.
TEST_F(Safetensors, DamagedFilesNeverDoAnythingElse) {
    writeSafetensors(
        m_folder.path() / "good",
        std::vector<SafetensorsArray>{{"images", {2, 3}, Floats{1, 2, 3, 4, 5, 6}}, {"labels", {2}, Integers{1, 2}}});
    const std::string good = contentOf(m_folder.path() / "good");
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_NE(refusal(good.substr(0, length)), "nothing was refused") << length;
    }
    std::mt19937 random(3);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string damaged = good;
        for (int change = 0; change <= i % 4; ++change) {
            damaged[random() % damaged.size()] = static_cast<char>(random());
        }
        refused += refusal(damaged) != "nothing was refused";
    }
    EXPECT_GT(refused, 500);
}

} // namespace
} // namespace halfstep::store
