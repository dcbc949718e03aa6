#include "engine/data/imagenette_names.h"
#include "engine/tensor/error.h"
#include "tests/engine/data/test_folders.h"
#include <gmock/gmock.h>

namespace halfstep::data {
namespace {

using halfstep::testing::contains;
using halfstep::testing::plainPicture;
using halfstep::testing::reasonFor;
using halfstep::testing::TemporaryFolder;
using halfstep::testing::writeFile;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Folder : public ::testing::Test {
protected:
    void add(const std::string& path, int red = 200) {
        writeFile(m_folder.path() / "set" / path, plainPicture(4, 4, red, 0, 0));
    }
    std::shared_ptr<const Dataset> opened() const {
        return halfstep::testing::open(m_folder.path() / "set", m_folder.path() / "cache", 4);
    }
    std::filesystem::path set() const { return m_folder.path() / "set"; }
    TemporaryFolder m_folder;
};

TEST_F(Folder, LabelsAreTheRanksOfTheTrainFoldersByCodePoint) {
    for (const char* name : {"é", "a", "Z", "B", "2", "10", "1"}) {
        add(std::string("train/") + name + "/x.png");
        add(std::string("val/") + name + "/x.png");
    }
    const auto set = opened();
    std::vector<std::string> names;
    for (const ClassInfo& c : set->info().classes) {
        names.push_back(c.name);
    }
    EXPECT_THAT(names, ::testing::ElementsAre("1", "10", "2", "B", "Z", "a", "é"));
    for (int label = 0; label < 7; ++label) {
        EXPECT_EQ(set->photographs(Split::Validation)[static_cast<std::size_t>(label)].label, label);
    }
}

TEST_F(Folder, ValidationLabelsGoByNameNotByRankInVal) {
    add("train/cat/0.png");
    add("train/dog/0.png");
    add("train/owl/0.png");
    add("val/cat/0.png");
    add("val/owl/0.png");
    const auto set = opened();
    EXPECT_EQ(set->photographs(Split::Validation).at(1).label, 2);
    EXPECT_TRUE(contains(set->info().warnings, "Class dog has no validation pictures"));
}

TEST_F(Folder, AClassOnlyInValIsLeftOutAndSaid) {
    add("train/cat/0.png");
    add("train/dog/0.png");
    add("val/cat/0.png");
    add("val/emu/0.png");
    const auto set = opened();
    EXPECT_EQ(set->info().classes.size(), 2U);
    EXPECT_EQ(set->photographs(Split::Validation).size(), 1U);
    EXPECT_TRUE(contains(set->info().warnings, "Class emu is in val/ but not in train/: its 1 picture is left out"));
    EXPECT_EQ(reasonFor(set->info(), "val/emu/0.png"), "its class is not in train/");
    EXPECT_EQ(set->info().found, set->info().used + static_cast<std::int64_t>(set->info().skipped.size()));
}

TEST_F(Folder, NothingToTrainWithIsOneSentence) {
    const auto message = [&](const std::string& part) { return ThrowsMessage<DataError>(HasSubstr(part)); };
    EXPECT_THAT([&] { opened(); }, message("does not exist"));
    std::filesystem::create_directories(set());
    EXPECT_THAT([&] { opened(); }, message("has no train/ folder"));
    std::filesystem::create_directories(set() / "train");
    EXPECT_THAT([&] { opened(); }, message("No classes found in"));
    add("train/a.png");
    EXPECT_THAT([&] { opened(); }, message("has 1 picture but no class folders"));
    writeFile(set() / "train/cat/a.png", "nothing");
    EXPECT_THAT([&] { opened(); }, message("has no picture to train with: 1 file found, 1 skipped"));
    add("val/emu/0.png");
    EXPECT_THAT([&] { opened(); }, message("no class of val/ (emu) is in train/ (cat)"));
}

TEST_F(Folder, OneClassAndNoValidationAreWarnings) {
    add("train/cat/0.png");
    const auto set = opened();
    EXPECT_TRUE(contains(set->info().warnings, "one class only (cat)"));
    EXPECT_TRUE(contains(set->info().warnings, "no val/ folder"));
    EXPECT_TRUE(set->photographs(Split::Validation).empty());
}

TEST_F(Folder, AnEmptyTrainClassKeepsItsLabel) {
    add("train/cat/0.png");
    std::filesystem::create_directories(set() / "train/dog");
    add("train/owl/0.png");
    add("val/dog/0.png");
    const auto set = opened();
    EXPECT_EQ(set->photographs(Split::Train).at(1).label, 2);
    EXPECT_EQ(set->photographs(Split::Validation).at(0).label, 1);
    EXPECT_TRUE(contains(set->info().warnings, "Class dog has no training pictures"));
}

TEST_F(Folder, ASetOneFolderDownIsFoundAndTwoAreNotGuessed) {
    add("inner/train/cat/0.png");
    const auto set = opened();
    EXPECT_EQ(set->info().displayName, "inner");
    EXPECT_EQ(set->photographs(Split::Train).at(0).path, "train/cat/0.png");
    add("other/train/cat/0.png");
    EXPECT_THAT([&] { opened(); }, ThrowsMessage<DataError>(HasSubstr("holds 2 sets (inner, other")));
}

TEST_F(Folder, ContentDecidesWhatIsAPictureAndNotTheName) {
    add("train/cat/picture");
    add("train/cat/b.JPEG");
    add("train/cat/deeper/c.pNg");
    writeFile(set() / "train/cat/notes.txt", "hello");
    const auto set = opened();
    EXPECT_EQ(set->info().used, 3);
    EXPECT_EQ(reasonFor(set->info(), "train/cat/notes.txt"), "not a picture but text");
    EXPECT_EQ(set->photographs(Split::Train).at(0).format, "PNG");
}

TEST_F(Folder, WhatSystemsLeaveBehindIsPassedOver) {
    add("train/cat/0.png");
    for (const char* name :
         {"train/.hidden/x.png", "train/@eaDir/x.png", "train/__MACOSX/x.png", "train/cat/._0.png",
          "train/cat/Thumbs.db", "train/cat/desktop.ini", "train/cat/.DS_Store", "train/readme.txt"}) {
        add(name);
    }
    const auto set = opened();
    EXPECT_EQ(set->info().classes.size(), 1U);
    EXPECT_EQ(set->info().found, 1);
}

TEST_F(Folder, LinksToFilesAreFollowedAndBrokenOnesListed) {
    add("train/cat/0.png");
    std::filesystem::create_symlink(set() / "train/cat/0.png", set() / "train/cat/link.png");
    std::filesystem::create_symlink("/nowhere", set() / "train/cat/broken.png");
    std::filesystem::create_directory_symlink(set() / "train", set() / "train/cat/round");
    const auto set = opened();
    EXPECT_EQ(set->info().used, 2);
    EXPECT_THAT(reasonFor(set->info(), "train/cat/broken.png").value_or(""), HasSubstr("No such file"));
}

TEST_F(Folder, NamesThatAreNotUtf8AreUsedAndShownReadably) {
    add("train/cat/latin\xe4.png");
    const auto set = opened();
    EXPECT_EQ(set->photographs(Split::Train).at(0).path, "train/cat/latin\\xe4.png");
    EXPECT_FALSE(set->original(Split::Train, 0).empty());
}

TEST_F(Folder, AnOriginalThatHasGoneIsADataError) {
    add("train/cat/0.png");
    const auto set = opened();
    std::filesystem::remove(this->set() / "train/cat/0.png");
    EXPECT_THAT([&] { set->original(Split::Train, 0); }, ThrowsMessage<DataError>(HasSubstr("0.png")));
    EXPECT_EQ(set->pixels(Split::Train, 0)[0], 200); // what is cached can still be trained with
}

TEST_F(Folder, StatisticsAreThoseOfTheTrainSplit) {
    add("train/cat/0.png", 0);
    add("train/cat/1.png", 255);
    add("val/cat/0.png", 77);
    const DatasetInfo info = opened()->info();
    EXPECT_DOUBLE_EQ(info.mean[0], 0.5);
    EXPECT_DOUBLE_EQ(info.deviation[0], 0.5);
    EXPECT_DOUBLE_EQ(info.mean[1], 0);
}

TEST(Names, WnidsOfImagenetteGetNamesAndOthersKeepTheirs) {
    EXPECT_EQ(classNameOf("n03000684"), "chain saw");
    EXPECT_EQ(classNameOf("n99999999"), "n99999999");
    EXPECT_EQ(classNameOf("dog"), "dog");
    EXPECT_TRUE(isWnid("n01440764"));
    EXPECT_FALSE(isWnid("n0144076"));
    EXPECT_FALSE(isWnid("north1234"));
}

} // namespace
} // namespace halfstep::data
