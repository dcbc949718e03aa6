#include "engine/store/safetensors.h"
#include "engine/tensor/error.h"
#include "engine/train/checkpoint_folder.h"
#include "tests/engine/store/child_process.h"
#include "tests/engine/store/file_content.h"
#include "tests/support/temporary_folder.h"
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <thread>

namespace halfstep::train {
namespace {
namespace fs = std::filesystem;
using store::contentOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// Every number in it tells the step.
Checkpoint checkpointAt(std::int64_t step, std::int64_t bestStep = 0, std::size_t elements = 4) {
    const std::vector<float> values(elements, static_cast<float>(step));
    const auto count = static_cast<std::int64_t>(elements);
    return {.state = {.run = 3,
                      .position = {.step = step, .epoch = 2},
                      .best = {.epoch = bestStep > 0 ? 1 : 0, .step = bestStep},
                      .iterations = step},
            .weights = {{"dense/kernel", {count}, values}},
            .optimizer = {{"adam_m/dense/kernel", {count}, values}}};
}

class CheckpointFolderTest : public testing::Test {
protected:
    std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(m_folder.path())) {
            found.push_back(entry.path().filename().string());
        }
        std::ranges::sort(found);
        return found;
    }

    std::string refusal() const {
        try {
            folder.read();
        } catch (const DataError& error) {
            return error.what();
        }
        return "nothing was refused";
    }

    support::TemporaryFolder m_folder;
    CheckpointFolder folder{m_folder.path()};
};

TEST_F(CheckpointFolderTest, WhatIsReadIsWhatWasWritten) {
    const Checkpoint written = checkpointAt(12);
    folder.write(written);
    EXPECT_THAT(names(), ElementsAre("step-000012"));
    const Checkpoint read = folder.read();
    EXPECT_EQ(read.state, written.state);
    EXPECT_EQ(read.folder, m_folder.path() / "step-000012");
    ASSERT_EQ(read.weights.size(), 1u);
    EXPECT_EQ(read.weights[0].name, "dense/kernel");
    EXPECT_EQ(read.weights[0].values, written.weights[0].values);
    EXPECT_EQ(read.optimizer[0].values, written.optimizer[0].values);
}

TEST_F(CheckpointFolderTest, TheLastAndTheBestStay) {
    for (const auto& [step, best] : {std::pair{3, 3}, {6, 6}, {9, 6}, {12, 6}}) {
        folder.write(checkpointAt(step, best));
    }
    EXPECT_THAT(names(), ElementsAre("best", "step-000006", "step-000012"));
    EXPECT_EQ(store::readSafetensors(m_folder.path() / "best/weights.safetensors")[0].values,
              store::readSafetensors(m_folder.path() / "step-000006/weights.safetensors")[0].values);
    EXPECT_EQ(folder.read().state.position.step, 12);
    folder.write(checkpointAt(1'000'000, 6));
    EXPECT_EQ(folder.read().state.position.step, 1'000'000) << "by number, not by name";
}

TEST_F(CheckpointFolderTest, WithoutABestEpochThereIsNoBest) {
    folder.write(checkpointAt(3));
    folder.write(checkpointAt(6));
    EXPECT_THAT(names(), ElementsAre("step-000006"));
}

TEST_F(CheckpointFolderTest, TheSameStepIsReplaced) {
    folder.write(checkpointAt(6, 6));
    Checkpoint validated = checkpointAt(6, 6);
    validated.state.position.epoch = 3;
    folder.write(validated);
    EXPECT_THAT(names(), ElementsAre("best", "step-000006"));
    EXPECT_EQ(folder.read().state, validated.state);
}

TEST_F(CheckpointFolderTest, ABestOneThatWasCopiedAsAFolderIsReplaced) {
    folder.write(checkpointAt(3, 3));
    fs::remove(m_folder.path() / "best");
    fs::copy(m_folder.path() / "step-000003", m_folder.path() / "best");
    folder.write(checkpointAt(6, 6));
    EXPECT_EQ(fs::read_symlink(m_folder.path() / "best"), "step-000006");
}

TEST_F(CheckpointFolderTest, WhatAKilledProcessLeftIsRemovedAndOtherFilesAreNot) {
    fs::create_directories(m_folder.path() / ".new-step-000003");
    store::writeContent(m_folder.path() / "notes.txt", "mine");
    fs::create_directories(m_folder.path() / "step-by-step");
    folder.write(checkpointAt(6));
    EXPECT_THAT(names(), ElementsAre("notes.txt", "step-000006", "step-by-step"));
}

TEST_F(CheckpointFolderTest, AKilledProcessLeavesTheOldOrTheNewOneWhole) {
    constexpr std::size_t kElements = 100'000;
    std::int64_t step = 1;
    folder.write(checkpointAt(step, step, kElements));
    for (int kill = 0; kill < 50; ++kill) {
        const pid_t child = fork();
        if (child == 0) {
            try {
                for (std::int64_t next = step + 1;; ++next) {
                    folder.write(checkpointAt(next, next - next % 2, kElements));
                }
            } catch (...) {
                _exit(1);
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1 + kill * 37 % 60));
        ::kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
        const Checkpoint read = folder.read();
        const std::int64_t now = read.state.position.step;
        ASSERT_GE(now, step);
        const std::vector<float> expected(kElements, static_cast<float>(now));
        ASSERT_EQ(read.state.iterations, now);
        ASSERT_EQ(read.weights[0].values, expected);
        ASSERT_EQ(read.optimizer[0].values, expected);
        const auto best = store::readSafetensors(m_folder.path() / "best/weights.safetensors");
        ASSERT_EQ(std::get<std::vector<float>>(best[0].values).size(), kElements);
        step = now;
    }
    EXPECT_GT(step, 1) << "no child got to write anything";
}

TEST_F(CheckpointFolderTest, AWriteThatFailsLeavesTheEarlierOnes) {
    folder.write(checkpointAt(3, 3));
    const std::string before = contentOf(m_folder.path() / "step-000003/weights.safetensors");
    const int code = store::inChildProcess([this] {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        setrlimit(RLIMIT_FSIZE, &limit);
        try {
            folder.write(checkpointAt(6, 6, 10'000));
        } catch (const StoreError&) {
            return 7;
        }
        return 0;
    });
    EXPECT_EQ(code, 7);
    EXPECT_THAT(names(), ElementsAre("best", "step-000003"));
    EXPECT_EQ(contentOf(m_folder.path() / "step-000003/weights.safetensors"), before);
    EXPECT_EQ(folder.read().state.position.step, 3);
}

TEST_F(CheckpointFolderTest, ABestOneThatCouldNotBeWrittenDoesNotRemoveTheBestThatCould) {
    folder.write(checkpointAt(3, 3));
    folder.write(checkpointAt(9, 6)); // that of step 6 is not there
    EXPECT_THAT(names(), ElementsAre("best", "step-000003", "step-000009"));
    EXPECT_EQ(fs::read_symlink(m_folder.path() / "best"), "step-000003");
}

TEST_F(CheckpointFolderTest, WhatCannotBeReadIsOneSentenceWithTheFile) {
    EXPECT_THAT(refusal(), AllOf(HasSubstr("holds no checkpoint"), HasSubstr("start a new run")));
    for (const char* file : {"weights.safetensors", "optimizer.safetensors", "state.json"}) {
        folder.write(checkpointAt(6, 0, 1000));
        const fs::path cut = m_folder.path() / "step-000006" / file;
        fs::resize_file(cut, fs::file_size(cut) / 2);
        EXPECT_THAT(refusal(),
                    AllOf(HasSubstr(cut.string()), HasSubstr("cannot be used"), HasSubstr("start a new run")));
        fs::remove(cut);
        EXPECT_THAT(refusal(), AllOf(HasSubstr(cut.string()), HasSubstr("cannot be opened")));
    }
    fs::remove_all(m_folder.path());
    EXPECT_THAT(refusal(), AllOf(HasSubstr("is gone"), HasSubstr(m_folder.path().string())));
}

TEST_F(CheckpointFolderTest, AFolderThatCannotBeMadeIsSaidBeforeTheRun) {
    store::writeContent(m_folder.path() / "file", "");
    EXPECT_THROW(CheckpointFolder(m_folder.path() / "file/ck").prepare(), StoreError);
    CheckpointFolder(m_folder.path() / "new/ck").prepare();
    EXPECT_TRUE(fs::is_empty(m_folder.path() / "new/ck"));
}

} // namespace
} // namespace halfstep::train
