#include "engine/store/process_identity.h"
#include "engine/store/run_store.h"
#include "engine/store/sqlite.h"
#include "engine/tensor/error.h"
#include "tests/engine/store/child_process.h"
#include "tests/engine/store/file_content.h"
#include "tests/support/temporary_folder.h"
#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

namespace halfstep::store {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using values::RunStatus;
using values::StepRecord;

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const StoreError& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(RunStoreFailures, ANewerSchemaIsRefusedAndLeftAlone) {
    support::TemporaryFolder folder;
    RunStore(folder.path() / "runs.sqlite");
    Connection(folder.path() / "runs.sqlite").execute("PRAGMA user_version=99");
    EXPECT_THAT(refusal([&] { RunStore(folder.path() / "runs.sqlite"); }),
                AllOf(HasSubstr("runs.sqlite"), HasSubstr("newer Halfstep"), HasSubstr("99")));
    EXPECT_EQ(Connection(folder.path() / "runs.sqlite").number("PRAGMA user_version"), 99);
}

TEST(RunStoreFailures, AnotherProgramsDatabaseIsRefusedAndLeftAlone) {
    support::TemporaryFolder folder;
    Connection(folder.path() / "other.db").execute("CREATE TABLE bookmarks(url TEXT)");
    const std::string before = contentOf(folder.path() / "other.db");
    EXPECT_THAT(refusal([&] { RunStore(folder.path() / "other.db"); }), HasSubstr("another program"));
    EXPECT_EQ(contentOf(folder.path() / "other.db"), before);
}

TEST(RunStoreFailures, AFileThatIsNoDatabaseIsRefusedAndLeftAlone) {
    support::TemporaryFolder folder;
    const std::string text(5000, 'x');
    writeContent(folder.path() / "notes.txt", text);
    EXPECT_THAT(refusal([&] { RunStore(folder.path() / "notes.txt"); }),
                AllOf(HasSubstr("notes.txt"), HasSubstr("not a run history")));
    EXPECT_EQ(contentOf(folder.path() / "notes.txt"), text);
}

TEST(RunStoreFailures, AFolderInPlaceOfTheFileIsRefused) {
    support::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "runs.sqlite");
    EXPECT_THAT(refusal([&] { RunStore(folder.path() / "runs.sqlite"); }), HasSubstr("cannot be opened"));
}

TEST(RunStoreFailures, AnOverwrittenFileIsReportedAsDamaged) {
    support::TemporaryFolder folder;
    const auto file = folder.path() / "runs.sqlite";
    {
        RunStore store(file);
        const auto run = store.begin({}, {}, "set");
        for (int step = 1; step <= 500; ++step) {
            store.record(run, StepRecord{.step = step, .epoch = 1, .batchSize = 1});
        }
        store.finish(run, {});
    }
    std::string content = contentOf(file);
    ASSERT_GT(content.size(), 8192u);
    content.replace(4096, content.size() - 4096, content.size() - 4096, '\x55');
    writeContent(file, content);
    EXPECT_THAT(refusal([&] { RunStore(file).runs(); }), AllOf(HasSubstr("runs.sqlite"), HasSubstr("damaged")));
}

TEST(RunStoreFailures, UnreadableSettingsOfOneRunDoNotHideTheOthers) {
    support::TemporaryFolder folder;
    RunStore store(folder.path() / "runs.sqlite");
    store.finish(store.begin({.name = "good"}, {}, "set"), {});
    store.finish(store.begin({.name = "bad"}, {}, "set"), {});
    Connection(folder.path() / "runs.sqlite").execute("UPDATE runs SET config = '{\"batch_size\":' WHERE id = 2");
    const auto runs = store.runs();
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_THAT(runs[0].message, HasSubstr("cannot be read"));
    EXPECT_EQ(runs[1].config.name, "good");
}

TEST(RunStoreFailures, AProcessIdThatIsUsedAgainIsAnotherProcess) {
    support::TemporaryFolder folder;
    RunStore store(folder.path() / "runs.sqlite");
    store.begin({}, {}, "set");
    EXPECT_EQ(store.runs()[0].status, RunStatus::Running);
    Connection connection(folder.path() / "runs.sqlite");
    connection.execute("UPDATE runs SET owner = replace(owner, ' ', ' 1')"); // another start time and boot
    EXPECT_EQ(store.runs()[0].status, RunStatus::Interrupted);
}

TEST(ProcessIdentity, IsAliveWhileTheProcessIs) {
    EXPECT_TRUE(isAlive(ownIdentity()));
    EXPECT_FALSE(isAlive(""));
    EXPECT_FALSE(isAlive("nonsense"));
    EXPECT_FALSE(isAlive(ownIdentity() + "0")) << "another boot";
}

TEST(ProcessIdentity, AZombieIsNotAlive) {
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    const std::string identity = identityOf(child);
    EXPECT_TRUE(isAlive(identity));
    kill(child, SIGKILL);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT); // dead, but not yet collected
    EXPECT_FALSE(isAlive(identity));
    waitpid(child, nullptr, 0);
}

/// A limit on the size of files stands for a disk that fills up: SQLite's writes fail in the same places.
TEST(RunStoreFailures, AFullDiskIsASentenceAndLosesNothing) {
    support::TemporaryFolder folder;
    const auto file = folder.path() / "runs.sqlite";
    const int kept = inChildProcess([file] {
        signal(SIGXFSZ, SIG_IGN);
        RunStore store(file);
        const auto run = store.begin({}, {}, "set");
        const rlimit limit{200'000, 200'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        int recorded = 0;
        const std::string sentence = refusal([&] {
            for (int step = 1; step <= 100'000; ++step) {
                store.record(run, StepRecord{.step = step, .epoch = 1, .batchSize = 1});
                ++recorded;
            }
        });
        return sentence.find("runs.sqlite") == std::string::npos ? 0 : std::min(recorded, 200);
    });
    ASSERT_GT(kept, 10) << "some records came before the end of the space";
    RunStore store(file);
    ASSERT_EQ(store.runs().size(), 1u);
    EXPECT_EQ(store.runs()[0].status, RunStatus::Interrupted);
    EXPECT_GE(store.steps(1).size(), static_cast<std::size_t>(kept));
}

} // namespace
} // namespace halfstep::store
