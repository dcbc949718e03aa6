#include "engine/store/atomic_file.h"
#include "engine/store/run_export.h"
#include "engine/tensor/error.h"
#include "tests/engine/store/child_process.h"
#include "tests/engine/store/file_content.h"
#include "tests/support/temporary_folder.h"
#include <csignal>
#include <gmock/gmock.h>
#include <sys/resource.h>

namespace halfstep::store {
namespace {

TEST(AtomicFile, AppearsWhenItIsWhole) {
    support::TemporaryFolder folder;
    {
        AtomicFile file(folder.path() / "out.csv");
        file.write("a,b\n");
        EXPECT_FALSE(std::filesystem::exists(folder.path() / "out.csv"));
        file.write("1,2\n");
        file.commit();
    }
    EXPECT_EQ(contentOf(folder.path() / "out.csv"), "a,b\n1,2\n");
    EXPECT_EQ(entriesOf(folder.path()), 1u) << "no temporary file is left";
}

TEST(AtomicFile, WithoutCommitTheOldContentStays) {
    support::TemporaryFolder folder;
    writeContent(folder.path() / "out.csv", "old");
    { AtomicFile(folder.path() / "out.csv").write("new"); }
    EXPECT_EQ(contentOf(folder.path() / "out.csv"), "old");
    EXPECT_EQ(entriesOf(folder.path()), 1u);
}

TEST(AtomicFile, TwoWritersOfOneNameDoNotMeet) {
    support::TemporaryFolder folder;
    AtomicFile first(folder.path() / "out"), second(folder.path() / "out");
    first.write("first");
    second.write("second");
    first.commit();
    EXPECT_EQ(contentOf(folder.path() / "out"), "first");
    second.commit();
    EXPECT_EQ(contentOf(folder.path() / "out"), "second");
}

TEST(AtomicFile, ALinkIsFollowed) {
    support::TemporaryFolder folder;
    writeContent(folder.path() / "real", "old");
    std::filesystem::create_symlink(folder.path() / "real", folder.path() / "link");
    writeFileAtomically(folder.path() / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
    EXPECT_EQ(contentOf(folder.path() / "real"), "new");
}

TEST(AtomicFile, ADeviceIsWrittenDirectly) {
    writeFileAtomically("/dev/null", "gone");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

std::string refusal(const std::filesystem::path& path) {
    try {
        writeFileAtomically(path, "content");
    } catch (const StoreError& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(AtomicFile, AMissingFolderAndAFolderAreRefusedWithTheReason) {
    support::TemporaryFolder folder;
    EXPECT_THAT(refusal(folder.path() / "missing/out.csv"),
                testing::AllOf(testing::HasSubstr("missing/out.csv"), testing::HasSubstr("No such file")));
    std::filesystem::create_directory(folder.path() / "place");
    EXPECT_THAT(refusal(folder.path() / "place"), testing::HasSubstr("Is a directory"));
    EXPECT_EQ(entriesOf(folder.path()), 1u);
}

TEST(AtomicFile, AFullDiskSaysHowMuchIsNeeded) {
    if (!std::filesystem::is_character_file("/dev/full")) {
        GTEST_SKIP() << "This system has no /dev/full.";
    }
    EXPECT_THAT(refusal("/dev/full"), testing::HasSubstr("disk full, 7 bytes needed"));
}

TEST(AtomicFile, AWriteThatFailsLeavesTheOldContent) {
    support::TemporaryFolder folder;
    const auto target = folder.path() / "out";
    writeContent(target, "old");
    const int code = inChildProcess([target] {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        setrlimit(RLIMIT_FSIZE, &limit);
        try {
            writeFileAtomically(target, std::string(5000, 'x'));
        } catch (const StoreError&) {
            return 7;
        }
        return 0;
    });
    EXPECT_EQ(code, 7);
    EXPECT_EQ(contentOf(target), "old");
    EXPECT_EQ(entriesOf(folder.path()), 1u);
}

} // namespace
} // namespace halfstep::store
