#include "engine/store/sqlite.h"
#include "engine/train/run_recorder.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>

namespace halfstep::train {
namespace {
using values::StepRecord;

StepRecord stepNumber(std::int64_t step) {
    return {.step = step,
            .epoch = 1,
            .batchSize = 8,
            .loss = static_cast<double>(step),
            .stepMilliseconds = 10,
            .skipped = step == 1};
}

class Recorder : public testing::Test {
protected:
    Recorder() : m_file(m_folder.path() / "runs.sqlite") {}

    RunRecorder recorder() {
        store::RunStore store(m_file);
        const std::int64_t run = store.begin({}, {}, "set");
        return RunRecorder(std::move(store), run, [this](const values::RunEvent& event) { m_seen.push_back(event); });
    }

    std::vector<std::string> notices() const {
        std::vector<std::string> texts;
        for (const values::RunEvent& event : m_seen) {
            if (const auto* notice = std::get_if<values::Notice>(&event)) {
                texts.push_back(notice->text);
            }
        }
        return texts;
    }

    support::TemporaryFolder m_folder;
    std::filesystem::path m_file;
    std::vector<values::RunEvent> m_seen;
};

TEST_F(Recorder, KeepsRecordsAndPassesEveryEventOn) {
    RunRecorder recording = recorder();
    recording.take(stepNumber(1));
    recording.take(values::Notice{.text = "hello"});
    recording.take(values::EpochRecord{.epoch = 1, .loss = 1});
    EXPECT_EQ(m_seen.size(), 3u);
    EXPECT_EQ(store::RunStore(m_file).steps(1).size(), 1u) << "kept at once, not at the end";
    EXPECT_EQ(store::RunStore(m_file).epochs(1).size(), 1u);
}

TEST_F(Recorder, CompletesTheSummary) {
    RunRecorder recording = recorder();
    recording.take(stepNumber(1));
    recording.take(stepNumber(3));
    const values::RunSummary summary = recording.finish({});
    EXPECT_EQ(summary.run, 1);
    EXPECT_EQ(summary.skippedSteps, 1);
    EXPECT_EQ(summary.loss, 2.0);
    EXPECT_EQ(store::RunStore(m_file).run(1)->status, values::RunStatus::Finished);
}

TEST_F(Recorder, SumsUpARunThatIsCutOff) {
    RunRecorder recording = recorder();
    for (int step = 1; step <= 8; ++step) {
        recording.take(stepNumber(step));
    }
    recording.take(values::EpochRecord{.epoch = 1, .loss = 1});
    const values::RunSummary summary = recording.summaryOfRecords(8);
    EXPECT_EQ(summary.steps, 8);
    EXPECT_EQ(summary.epochs, 1);
    EXPECT_EQ(summary.skippedSteps, 1);
    EXPECT_EQ(summary.medianStepMilliseconds, 10.0);
    EXPECT_EQ(summary.epochsLog.size(), 1u);
}

TEST_F(Recorder, AHistoryThatCannotBeWrittenIsAWarningOnceAndNothingIsLost) {
    RunRecorder recording = recorder();
    store::Connection other(m_file);
    recording.take(stepNumber(1));
    other.execute("ALTER TABLE steps RENAME TO away");
    recording.take(stepNumber(2));
    recording.take(stepNumber(3));
    ASSERT_EQ(notices().size(), 1u);
    EXPECT_THAT(notices()[0], testing::HasSubstr("runs.sqlite"));
    other.execute("ALTER TABLE away RENAME TO steps");
    recording.finish({});
    EXPECT_EQ(store::RunStore(m_file).steps(1).size(), 3u);
    EXPECT_EQ(store::RunStore(m_file).run(1)->status, values::RunStatus::Finished);
    EXPECT_EQ(notices().size(), 1u);
}

TEST_F(Recorder, AHistoryThatStaysUnwritableDoesNotChangeTheOutcome) {
    RunRecorder recording = recorder();
    store::Connection(m_file).execute("DROP TABLE steps; DROP TABLE runs");
    recording.take(stepNumber(1));
    values::RunSummary summary;
    summary.status = values::RunStatus::Finished;
    summary.steps = 1;
    summary = recording.finish(summary);
    EXPECT_EQ(summary.status, values::RunStatus::Finished);
    EXPECT_EQ(summary.steps, 1);
    EXPECT_THAT(notices(),
                testing::ElementsAre(testing::HasSubstr("runs.sqlite"), testing::HasSubstr("could not be kept")));
}

} // namespace
} // namespace halfstep::train
