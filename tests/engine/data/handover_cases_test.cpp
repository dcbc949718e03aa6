#include "engine/data/data_loader.h"
#include "engine/tensor/error.h"
#include "tests/engine/data/test_folders.h"
#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

// The cases B01 to B15 of ../shared/cases/cases.md, each a small set with what must come out.

namespace halfstep::data {
namespace {

namespace fs = std::filesystem;
using halfstep::testing::contains;
using halfstep::testing::pixelAt;
using halfstep::testing::reasonFor;
using halfstep::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class HandoverCases : public ::testing::Test {
protected:
    void SetUp() override {
        const auto shared = halfstep::testing::sharedFolder();
        if (!shared) {
            GTEST_SKIP() << "the cases are in ../shared, which is not here";
        }
        halfstep::testing::unpack(*shared / "cases" / "handover.tar.gz", m_folder.path());
    }
    fs::path folder(const std::string& name) const { return m_folder.path() / name; }
    std::shared_ptr<const Dataset> opened(const std::string& name, int imageSize = 16) const {
        return halfstep::testing::open(folder(name), m_folder.path() / "cache", imageSize);
    }
    nlohmann::json expected(const std::string& name) const {
        return nlohmann::json::parse(std::ifstream(folder(name) / "expected.json"));
    }
    RgbImage decoded(const std::string& path) const {
        const std::string bytes = halfstep::testing::readText(folder(path));
        return decodeImage({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    }
    void expectPoints(const std::string& path, const nlohmann::json& points, int tolerance) const {
        const RgbImage image = decoded(path);
        EXPECT_EQ(image.width, 64) << path;
        EXPECT_EQ(image.height, 48) << path;
        for (const auto& [place, colour] : points.items()) {
            const auto comma = place.find(',');
            const auto pixel = pixelAt(image, std::stoi(place.substr(0, comma)), std::stoi(place.substr(comma + 1)));
            for (std::size_t c = 0; c < 3; ++c) {
                EXPECT_NEAR(pixel[c], colour[c].get<int>(), tolerance) << path << " at " << place;
            }
        }
    }
    void expectCounts(const Dataset& set, std::size_t train, std::size_t validation) const {
        EXPECT_EQ(set.photographs(Split::Train).size(), train);
        EXPECT_EQ(set.photographs(Split::Validation).size(), validation);
        EXPECT_EQ(set.info().used, static_cast<std::int64_t>(train + validation));
        EXPECT_EQ(set.info().found, set.info().used + static_cast<std::int64_t>(set.info().skipped.size()));
    }
    TemporaryFolder m_folder;
};

TEST_F(HandoverCases, B01CmykAndYcckJpegsHaveTheRightColours) {
    expectCounts(*opened("B01"), 9, 4);
    const auto files = expected("B01").at("files");
    expectPoints("B01/train/red/cmyk.jpg", files.at("train/red/cmyk.jpg").at("points"), 4);
    expectPoints("B01/train/red/ycck.jpg", files.at("train/red/ycck.jpg").at("points"), 4);
    // Without Adobe's marker tools disagree; ours is the rule of TensorFlow.
    expectPoints("B01/train/red/cmyk_noadobe.jpg",
                 files.at("train/red/cmyk_noadobe.jpg").at("points_tensorflow_rule"), 4);
}

TEST_F(HandoverCases, B02GrayAndOneBitPicturesHaveThreeEqualChannels) {
    expectCounts(*opened("B02"), 9, 4);
    expectCounts(*opened("B02/allgray"), 8, 4);
    const auto known = expected("B02"); // named: a loop would not keep the temporary
    for (const auto& [path, facts] : known.at("files").items()) {
        expectPoints("B02/" + path, facts.at("points"), facts.at("tolerance"));
    }
}

TEST_F(HandoverCases, B03OrientationIsAppliedAndBadOnesMeanUpright) {
    const auto set = opened("B03", 64);
    expectCounts(*set, 18, 4);
    const auto known = expected("B03"); // named: a loop would not keep the temporary
    for (const auto& [path, facts] : known.at("files").items()) {
        if (facts.contains("points")) {
            expectPoints("B03/" + path, facts.at("points"), facts.at("tolerance"));
        }
    }
    const RgbImage png = decoded("B03/train/red/exif_6.png");
    EXPECT_EQ(png.width, 64); // eXIf of a PNG is honoured as well
    // Thumbnail, tensor and original agree: the photograph says the upright size.
    for (const Photograph& photograph : set->photographs(Split::Train)) {
        if (photograph.path.find("exif") != std::string::npos &&
            photograph.path.find("broken") == std::string::npos) {
            EXPECT_EQ(photograph.width, 64) << photograph.path;
        }
    }
}

TEST_F(HandoverCases, B04BadFilesAreListedAndTheRestIsUsed) {
    const auto set = opened("B04");
    const DatasetInfo& info = set->info();
    const auto known = expected("B04"); // named: a loop would not keep the temporary
    for (const auto& [path, facts] : known.at("files").items()) {
        const auto status = facts.at("status").get<std::string>();
        if (status.starts_with("skip") && path != "train/red/noperm.jpg") { // root reads that one
            EXPECT_TRUE(reasonFor(info, path)) << path;
        }
        if (status == "ok") {
            EXPECT_FALSE(reasonFor(info, path)) << path;
        }
    }
    EXPECT_FALSE(reasonFor(info, "train/red/a_directory.jpg"));
    EXPECT_THAT(reasonFor(info, "train/red/truncated_90.jpg").value_or(""), HasSubstr("truncated"));
    EXPECT_EQ(info.found, info.used + static_cast<std::int64_t>(info.skipped.size()));
    EXPECT_EQ(info.classes.at(0).train + info.classes.at(1).train,
              static_cast<std::int64_t>(set->photographs(Split::Train).size()));

    // A file that goes or is spoilt after it was cached: the batches are whole nevertheless.
    fs::remove(folder("B04/train/red/good0.jpg"));
    halfstep::testing::writeFile(folder("B04/train/red/good1.jpg"), std::string(100, '\0'));
    DataLoader loader(set, Split::Train,
                      shuffledOrder(static_cast<std::int64_t>(set->photographs(Split::Train).size()), 1, 1), 4);
    int seen = 0;
    while (const Batch* batch = loader.next()) {
        EXPECT_EQ(batch->images.size(), static_cast<std::size_t>(batch->size) * 16 * 16 * 3);
        seen += batch->size;
    }
    EXPECT_EQ(seen, info.classes.at(0).train + info.classes.at(1).train);
}

TEST_F(HandoverCases, B06EndingsInAnyCase) {
    const auto set = opened("B06");
    expectCounts(*set, 16, 4);
    EXPECT_EQ(set->info().classes.at(0).train, 8);
    EXPECT_EQ(set->info().classes.at(0).name, "tench");
    EXPECT_EQ(set->info().classes.at(1).name, "English springer");
}

TEST_F(HandoverCases, B07HiddenAndSystemFilesAreNotSeen) {
    const auto set = opened("B07");
    expectCounts(*set, 8, 4);
    ASSERT_EQ(set->info().classes.size(), 2U);
    EXPECT_EQ(set->info().classes[0].name, "blue");
    EXPECT_EQ(set->info().classes[1].name, "red");
    EXPECT_TRUE(set->info().skipped.empty());
}

TEST_F(HandoverCases, B08ClassesThatDoNotMatch) {
    for (const char* name : {"B08/missing_in_val", "B08/empty_in_val"}) {
        const auto set = opened(name);
        EXPECT_EQ(set->photographs(Split::Validation).back().label, 2) << name;
        EXPECT_TRUE(contains(set->info().warnings, "Class dog has no validation pictures")) << name;
    }
    const auto emptyInTrain = opened("B08/empty_in_train");
    EXPECT_EQ(emptyInTrain->info().classes.size(), 3U);
    EXPECT_TRUE(contains(emptyInTrain->info().warnings, "Class dog has no training pictures"));
    const auto extra = opened("B08/extra_in_val");
    EXPECT_EQ(extra->info().classes.size(), 2U);
    EXPECT_TRUE(
        contains(extra->info().warnings, "Class emu is in val/ but not in train/: its 3 pictures are left out"));
    EXPECT_THAT([&] { opened("B08/disjoint"); }, ThrowsMessage<DataError>(HasSubstr("no class of val/ (emu)")));
    EXPECT_TRUE(contains(opened("B08/one_class")->info().warnings, "one class only"));
    EXPECT_TRUE(contains(opened("B08/no_val")->info().warnings, "no val/ folder"));
    EXPECT_THAT([&] { opened("B08/empty_root"); }, ThrowsMessage<DataError>(HasSubstr("No classes found in")));
    EXPECT_THAT([&] { opened("B08/flat_no_classes"); },
                ThrowsMessage<DataError>(HasSubstr("3 pictures but no class folders")));
    std::vector<std::string> order;
    const auto ordered = opened("B08/order");
    for (const ClassInfo& c : ordered->info().classes) {
        order.push_back(c.name);
    }
    EXPECT_EQ(order, expected("B08").at("order").at("class_order_by_code_point").get<std::vector<std::string>>());
}

TEST_F(HandoverCases, B11PathsOutsideAscii) {
    const fs::path moved = m_folder.path() / "Größe 测试";
    fs::rename(folder("B11"), moved);
    const auto set = halfstep::testing::open(moved, m_folder.path() / "cache 测试", 16);
    expectCounts(*set, 39, 4);
    EXPECT_EQ(set->info().classes.size(), 4U);
    EXPECT_EQ(set->info().displayName, "Größe 测试");
    for (std::int64_t i = 0; i < 39; ++i) {
        EXPECT_FALSE(set->original(Split::Train, i).empty());
    }
}

TEST_F(HandoverCases, B13ResizeIsHalfPixelBilinearWithoutAntialias) {
    const auto set = opened("B13", 16);
    int checked = 0;
    const auto& photographs = set->photographs(Split::Train);
    for (std::size_t i = 0; i < photographs.size(); ++i) {
        const auto pixels = set->pixels(Split::Train, static_cast<std::int64_t>(i));
        if (photographs[i].path.find("stripes") != std::string::npos) {
            EXPECT_TRUE(std::ranges::all_of(pixels, [](int p) { return p == 0; })) << photographs[i].path;
            ++checked;
        } else if (photographs[i].path.ends_with("/ramp.png")) {
            for (std::size_t at = 0; at < pixels.size(); at += 3) {
                EXPECT_EQ(pixels[at], 16 * (at / 3 % 16) + 6);
                EXPECT_EQ(pixels[at + 1], 16 * (at / 3 / 16) + 6);
                EXPECT_EQ(pixels[at + 2], 77);
            }
            ++checked;
        }
    }
    EXPECT_GE(checked, 3);
}

TEST_F(HandoverCases, B15RedIsTheFirstChannel) {
    const auto set = opened("B15");
    for (const Split split : {Split::Train, Split::Validation}) {
        const auto& photographs = set->photographs(split);
        for (std::size_t i = 0; i < photographs.size(); ++i) {
            if (set->info().classes[static_cast<std::size_t>(photographs[i].label)].name == "red") {
                const auto pixels = set->pixels(split, static_cast<std::int64_t>(i));
                EXPECT_NEAR(pixels[0], 255, 1);
                EXPECT_NEAR(pixels[1], 0, 1);
                EXPECT_NEAR(pixels[2], 0, 1);
            }
        }
    }
}

} // namespace
} // namespace halfstep::data
