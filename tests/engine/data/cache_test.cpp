#include "engine/data/cache_file.h"
#include "engine/tensor/error.h"
#include "tests/engine/data/test_folders.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace halfstep::data {
namespace {

namespace fs = std::filesystem;
using halfstep::testing::busyJpeg;
using halfstep::testing::plainPicture;
using halfstep::testing::readText;
using halfstep::testing::TemporaryFolder;
using halfstep::testing::writeFile;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Cache : public ::testing::Test {
protected:
    void SetUp() override {
        for (int i = 0; i < 12; ++i) {
            writeFile(set() / "train" / (i % 2 == 0 ? "cat" : "dog") / (std::to_string(i) + ".png"),
                      plainPicture(6, 5, 20 * i, i, 0));
        }
        writeFile(set() / "val/cat/bad.png", "x");
    }
    fs::path set() const { return m_folder.path() / "set"; }
    fs::path cache() const { return m_folder.path() / "cache"; }
    /// Opens and says whether the cache had to be built.
    bool builds(int imageSize = 8) {
        bool built = false;
        m_set = openDataset(set().native(), {.imageSize = imageSize, .cacheFolder = cache(), .threads = 2},
                            [&](const values::DataProgress&) { built = true; });
        return built;
    }
    std::vector<fs::path> files() const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(cache())) {
            found.push_back(entry.path());
        }
        return found;
    }
    std::vector<std::uint8_t> allPixels() const {
        std::vector<std::uint8_t> all;
        for (std::int64_t i = 0; i < 12; ++i) {
            const auto pixels = m_set->pixels(Split::Train, i);
            all.insert(all.end(), pixels.begin(), pixels.end());
        }
        return all;
    }
    TemporaryFolder m_folder;
    std::shared_ptr<const Dataset> m_set;
};

TEST_F(Cache, IsBuiltOnceForASetAndImageSize) {
    EXPECT_TRUE(builds());
    const auto pixels = allPixels();
    EXPECT_FALSE(builds());
    EXPECT_EQ(allPixels(), pixels);
    EXPECT_TRUE(builds(9));
    EXPECT_EQ(files().size(), 2U);
}

TEST_F(Cache, KeepsAllThatTheSetSaysAboutItself) {
    builds();
    const DatasetInfo first = m_set->info();
    const auto photographs = m_set->photographs(Split::Train);
    builds();
    const DatasetInfo again = m_set->info();
    EXPECT_EQ(again.fingerprint, first.fingerprint);
    EXPECT_EQ(again.used, 12);
    EXPECT_EQ(again.skipped.at(0).reason, first.skipped.at(0).reason);
    EXPECT_EQ(again.warnings, first.warnings);
    EXPECT_EQ(again.mean, first.mean);
    EXPECT_EQ(again.largest, (std::array<int, 2>{6, 5}));
    EXPECT_EQ(m_set->photographs(Split::Train).at(7).path, photographs.at(7).path);
    EXPECT_EQ(m_set->photographs(Split::Train).at(7).fileBytes, photographs.at(7).fileBytes);
}

TEST_F(Cache, IsBuiltAgainWhenAFileChangesComesOrGoes) {
    builds();
    const auto before = m_set->info().fingerprint;
    writeFile(set() / "train/cat/0.png", plainPicture(6, 5, 255, 255, 255));
    EXPECT_TRUE(builds());
    EXPECT_NE(m_set->info().fingerprint, before);
    writeFile(set() / "train/cat/new.png", plainPicture(6, 5, 1, 1, 1));
    EXPECT_TRUE(builds());
    fs::remove(set() / "train/cat/new.png");
    EXPECT_FALSE(builds()); // the set of two steps before is still known
}

TEST_F(Cache, ContentAndOrderDoNotDependOnTheThreads) {
    builds();
    const auto pixels = allPixels();
    const auto other = halfstep::testing::open(set(), m_folder.path() / "other", 8, 5);
    EXPECT_EQ(other->info().fingerprint, m_set->info().fingerprint);
    EXPECT_EQ(other->info().mean, m_set->info().mean);
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(other->photographs(Split::Train)[i].path, m_set->photographs(Split::Train)[i].path);
        EXPECT_TRUE(std::ranges::equal(other->pixels(Split::Train, static_cast<std::int64_t>(i)),
                                       m_set->pixels(Split::Train, static_cast<std::int64_t>(i))));
    }
}

TEST_F(Cache, ADamagedFileIsBuiltAgain) {
    builds();
    const auto pixels = allPixels();
    const fs::path file = files().at(0);
    const std::string whole = readText(file);
    std::vector<std::string> damaged{"",
                                     "short",
                                     whole.substr(0, whole.size() - 1),
                                     whole + "x",
                                     whole.substr(0, 4096),
                                     std::string(whole.size(), '\0')};
    for (const std::size_t at : {0, 9, 20, 60, 80}) {
        damaged.push_back(whole);
        damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 0x10);
    }
    damaged.push_back(whole);
    damaged.back()[whole.size() - 30] = static_cast<char>(damaged.back()[whole.size() - 30] ^ 0x10);
    for (const std::string& content : damaged) {
        m_set.reset();
        writeFile(file, content);
        EXPECT_TRUE(builds());
        EXPECT_EQ(allPixels(), pixels);
    }
}

TEST_F(Cache, ABuildThatWasKilledLeavesNothingThatCounts) {
    fs::create_directories(cache());
    writeFile(cache() / "set-of-a-killed-process-8.cache.part", "half");
    EXPECT_TRUE(builds());
    ASSERT_EQ(files().size(), 1U);
    const fs::path file = files().at(0);
    fs::rename(file, file.native() + ".part"); // as if it had been killed before the last step
    EXPECT_TRUE(builds());
    EXPECT_EQ(files().size(), 1U);
}

TEST_F(Cache, KillingABuildAtAnyMomentIsSurvived) {
    for (int i = 0; i < 60; ++i) {
        writeFile(set() / "train/cat" / ("big" + std::to_string(i) + ".jpg"), busyJpeg(200, 150));
    }
    for (int round = 0; round < 6; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            halfstep::testing::open(set(), cache(), 64, 2);
            _exit(0);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(4 + 9 * round));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    const auto set_ = halfstep::testing::open(set(), cache(), 64, 2);
    EXPECT_EQ(set_->info().used, 72);
    EXPECT_EQ(files().size(), 1U);
}

TEST_F(Cache, TwoBuildersAtOnceShareOneFile) {
    std::vector<std::shared_ptr<const Dataset>> sets(4);
    {
        std::vector<std::jthread> builders;
        for (auto& one : sets) {
            builders.emplace_back([&] { one = halfstep::testing::open(set(), cache(), 8, 1); });
        }
    }
    EXPECT_EQ(files().size(), 1U);
    for (const auto& one : sets) {
        EXPECT_EQ(one->info().fingerprint, sets[0]->info().fingerprint);
    }
}

TEST_F(Cache, WaitingForAnotherBuilderEndsOnRequest) {
    builds();
    const fs::path part = files().at(0).native() + ".part";
    fs::rename(files().at(0), part);
    const int other = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(flock(other, LOCK_EX), 0);
    std::stop_source stop;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        stop.request_stop();
    });
    EXPECT_THROW(
        openDataset(set().native(), {.imageSize = 8, .cacheFolder = cache(), .threads = 1}, {}, stop.get_token()),
        Cancelled);
    EXPECT_TRUE(fs::exists(part)); // it is the other's
    close(other);
}

TEST_F(Cache, AStopLeavesNothingBehind) {
    std::stop_source stop;
    const auto stopAtFirstReport = [&](const values::DataProgress&) { stop.request_stop(); };
    for (int i = 0; i < 200; ++i) {
        writeFile(set() / "train/cat" / ("big" + std::to_string(i) + ".jpg"), busyJpeg(300, 200));
    }
    EXPECT_THROW(openDataset(set().native(), {.imageSize = 64, .cacheFolder = cache(), .threads = 2},
                             stopAtFirstReport, stop.get_token()),
                 Cancelled);
    EXPECT_TRUE(files().empty());
    std::stop_source before;
    before.request_stop();
    EXPECT_THROW(
        openDataset(set().native(), {.imageSize = 64, .cacheFolder = cache(), .threads = 2}, {}, before.get_token()),
        Cancelled);
}

TEST_F(Cache, AProgressSinkThatThrowsEndsTheBuildCleanly) {
    const auto fails = [](const values::DataProgress&) { throw std::runtime_error("gone"); };
    EXPECT_THROW(openDataset(set().native(), {.imageSize = 8, .cacheFolder = cache(), .threads = 2}, fails),
                 std::runtime_error);
    EXPECT_TRUE(files().empty());
}

TEST_F(Cache, ProgressEndsAtTheTotal) {
    std::vector<values::DataProgress> reports;
    openDataset(set().native(), {.imageSize = 8, .cacheFolder = cache(), .threads = 2},
                [&](const values::DataProgress& p) { reports.push_back(p); });
    ASSERT_FALSE(reports.empty());
    EXPECT_EQ(reports.back().done, 13);
    EXPECT_EQ(reports.back().total, 13);
    EXPECT_EQ(reports.back().activity, "Decoding");
}

TEST_F(Cache, AFullDiskIsOneSentenceWithTheBytesNeeded) {
    // A limit on the size of files stands in for a full disk: write() fails in the same place with another number.
    fs::create_directories(cache());
    const auto writer = CacheWriter::begin(cache() / "x.cache", "key", 4096, {});
    EXPECT_THAT([&] { writer->checkSpace(100'000'000); }, ThrowsMessage<DataError>(HasSubstr("The disk is full")));
    writer->expect(100'000'000);
    EXPECT_THAT([&] { writer->checkSpace(100'000'000); },
                ThrowsMessage<DataError>(HasSubstr("5,033,164,800,000,000 bytes")));
}

TEST_F(Cache, AFileThatCannotGrowIsADataErrorAndLeavesNothing) {
    fs::create_directories(cache());
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto previous = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{5000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_THAT([&] { builds(64); }, ThrowsMessage<DataError>(HasSubstr("cannot be written")));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, previous);
    EXPECT_TRUE(files().empty());
}

TEST_F(Cache, AFolderThatCannotBeMadeIsADataError) {
    writeFile(m_folder.path() / "file", "");
    EXPECT_THAT([&] { halfstep::testing::open(set(), m_folder.path() / "file" / "cache", 8); },
                ThrowsMessage<DataError>(HasSubstr("cannot be written")));
}

TEST(CacheContent, ComesBackFromBytesAndDamageIsNoticed) {
    CacheContent content;
    content.info.displayName = "set";
    content.info.skipped = {{"a\xff", "why"}};
    content.pictures[1].push_back({{"val/x", 3, 4, 5, 6, "PNG"}, "val/x\xff", 9});
    const auto bytes = packContent(content);
    const CacheContent again = unpackContent(bytes);
    EXPECT_EQ(again.info.skipped.at(0).path, "a\xff");
    EXPECT_EQ(again.pictures[1].at(0).slot, 9);
    EXPECT_EQ(again.pictures[1].at(0).photograph.format, "PNG");
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_THROW(unpackContent(std::span(bytes).first(length)), DataError);
    }
}

} // namespace
} // namespace halfstep::data
