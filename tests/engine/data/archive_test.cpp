#include "engine/tensor/error.h"
#include "tests/engine/data/test_folders.h"
#include <clocale>
#include <gmock/gmock.h>

namespace halfstep::data {
namespace {

using halfstep::testing::plainPicture;
using halfstep::testing::readText;
using halfstep::testing::reasonFor;
using halfstep::testing::TarMember;
using halfstep::testing::TemporaryFolder;
using halfstep::testing::writeFile;
using halfstep::testing::writeTar;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string picture = plainPicture(4, 4, 10, 20, 30);

class Archive : public ::testing::Test {
protected:
    std::shared_ptr<const Dataset> opened(const std::vector<TarMember>& members) {
        writeTar(file(), members);
        return halfstep::testing::open(file(), m_folder.path() / "cache", 4);
    }
    std::filesystem::path file() const { return m_folder.path() / "cats-and-dogs.tgz"; }
    TemporaryFolder m_folder;
};

TEST_F(Archive, IsASetLikeTheFolderThatWasPacked) {
    std::vector<TarMember> members{{"top/", "", ""}, {"top/noisy.csv", "path\n", ""}};
    for (const std::string path : {"train/cat/a.png", "train/dog/b.png", "val/cat/c.png", "val/dog/d.png"}) {
        members.push_back({"./top/" + path, picture, ""});
        writeFile(m_folder.path() / "set" / path, picture);
    }
    members.push_back({"top/train/dog/bad.png", "no picture", ""});
    writeFile(m_folder.path() / "set/train/dog/bad.png", "no picture");
    const auto packed = opened(members);
    const auto plain = halfstep::testing::open(m_folder.path() / "set", m_folder.path() / "cache", 4);
    EXPECT_EQ(packed->info().displayName, "cats-and-dogs");
    EXPECT_EQ(packed->info().fingerprint, plain->info().fingerprint);
    EXPECT_EQ(packed->info().used, 4);
    EXPECT_EQ(reasonFor(packed->info(), "train/dog/bad.png"), "not a picture but text");
    EXPECT_EQ(packed->photographs(Split::Validation).at(1).path, "val/dog/d.png");
    const auto original = packed->original(Split::Validation, 1);
    EXPECT_EQ(std::string(original.begin(), original.end()), picture);
}

TEST_F(Archive, IsRefusedIfAMemberWouldLeaveItsFolder) {
    const TarMember good{"top/train/cat/a.png", picture, ""};
    for (const TarMember& bad :
         {TarMember{"../x.png", picture, ""}, TarMember{"top/../../x.png", picture, ""},
          TarMember{"top/train/../cat/x.png", picture, ""}, TarMember{"/etc/x.png", picture, ""},
          TarMember{"top/train/cat/l.png", "", "../../../../x"},
          TarMember{"top/train/cat/l.png", "", "/etc/passwd"}}) {
        EXPECT_THAT([&] { opened({good, bad}); }, ThrowsMessage<DataError>(HasSubstr("is refused"))) << bad.path;
    }
    EXPECT_TRUE(std::filesystem::is_empty(m_folder.path() / "cache"));
}

TEST_F(Archive, LinksInsideAreListedAndNotRead) {
    const auto set = opened({{"train/cat/a.png", picture, ""}, {"train/cat/l.png", "", "a.png"}});
    EXPECT_EQ(set->info().used, 1);
    EXPECT_THAT(reasonFor(set->info(), "train/cat/l.png").value_or(""), HasSubstr("link"));
}

TEST_F(Archive, ThatEndsEarlyIsADataErrorAndLeavesNoCache) {
    std::vector<TarMember> members;
    for (int i = 0; i < 50; ++i) {
        members.push_back({"top/train/cat/" + std::to_string(i) + ".jpg", halfstep::testing::busyJpeg(40, 40), ""});
        members.back().bytes += std::to_string(i * 7919); // so that gzip cannot fold them into one
    }
    writeTar(file(), members, false);
    const std::string whole = readText(file());
    writeFile(file(), whole.substr(0, whole.size() / 2));
    EXPECT_THAT([&] { halfstep::testing::open(file(), m_folder.path() / "cache", 4); },
                ThrowsMessage<DataError>(HasSubstr("ends early")));
    EXPECT_TRUE(std::filesystem::is_empty(m_folder.path() / "cache"));
}

TEST_F(Archive, AFileThatIsNoneIsADataErrorSayingWhatASourceIs) {
    for (const std::string content : {"", "just some text, not an archive"}) {
        writeFile(file(), content);
        EXPECT_THAT([&] { halfstep::testing::open(file(), m_folder.path() / "cache", 4); },
                    ThrowsMessage<DataError>(HasSubstr("train/")))
            << content;
    }
}

TEST_F(Archive, EmptyClassesAndWhatSystemsLeaveBehindCountAsInAFolder) {
    const auto set = opened({{"top/train/empty/", "", ""},
                             {"top/train/cat/a.png", picture, ""},
                             {"top/train/cat/._a.png", "x", ""},
                             {"__MACOSX/train/cat/a.png", "x", ""},
                             {"top/train/@eaDir/a.png", "x", ""}});
    EXPECT_EQ(set->info().classes.size(), 2U);
    EXPECT_EQ(set->info().found, 1);
    EXPECT_TRUE(halfstep::testing::contains(set->info().warnings, "Class empty has no training pictures"));
}

TEST_F(Archive, WithTwoSetsIsNotGuessed) {
    EXPECT_THAT(
        [&] {
            opened({{"a/train/cat/a.png", picture, ""}, {"b/train/cat/a.png", picture, ""}});
        },
        ThrowsMessage<DataError>(HasSubstr("more than one set")));
}

TEST_F(Archive, NamesOutsideAsciiComeThroughInTheCLocale) {
    ASSERT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
    const auto set = opened({{"top/train/größe/测试 é.png", picture, ""}});
    EXPECT_EQ(set->photographs(Split::Train).at(0).path, "train/größe/测试 é.png");
    EXPECT_EQ(set->info().classes.at(0).name, "größe");
}

TEST_F(Archive, TheSameContentElsewhereIsNotBuiltAgain) {
    opened({{"train/cat/a.png", picture, ""}});
    const auto moved = m_folder.path() / "moved.tgz";
    std::filesystem::rename(file(), moved);
    bool built = false;
    const auto set = openDataset(moved.native(), {.imageSize = 4, .cacheFolder = m_folder.path() / "cache"},
                                 [&](const values::DataProgress&) { built = true; });
    EXPECT_FALSE(built);
    EXPECT_EQ(set->info().displayName, "moved");
}

} // namespace
} // namespace halfstep::data
