#include "engine/tensor/error.h"
#include "tests/ui/fake_sweep.h"
#include "ui/bridge/sweep_history.h"
#include "ui/bridge/sweep_session.h"
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;
using halfstep::tests::fakeSweep;
using precision::Policy;
using State = SweepSession::State;

namespace {

constexpr int kPatience = 20'000;

values::SweepConfig config() {
    values::SweepConfig config;
    config.policies = {Policy::Float32, Policy::MixedFloat16};
    config.batchSizes = {8, 16};
    config.steps = 4;
    config.warmup = 1;
    config.repeats = 2;
    return config;
}

/// What a session has said.
struct Heard {
    explicit Heard(SweepSession& session) {
        QObject::connect(&session, &SweepSession::changed, [this](const MeasuredSweepPtr& sweep) {
            newest = sweep;
            ++changes;
            afterEnding += endings() > 0 ? 1 : 0;
        });
        QObject::connect(&session, &SweepSession::stepped, [this] {
            ++steps;
            afterEnding += endings() > 0 ? 1 : 0;
        });
        QObject::connect(&session, &SweepSession::finished, [this](const MeasuredSweepPtr& sweep) {
            ++finished;
            last = sweep;
        });
        QObject::connect(&session, &SweepSession::failed, [this](const RunFailure& what) {
            ++failed;
            failure = what;
        });
    }
    int endings() const { return finished + failed; }
    bool waitForEnding(int wanted = 1) const {
        return QTest::qWaitFor([&] { return endings() == wanted; }, kPatience);
    }
    bool waitForSteps() const {
        return QTest::qWaitFor([&] { return steps > 0; }, kPatience);
    }

    int changes = 0, steps = 0, finished = 0, failed = 0, afterEnding = 0;
    MeasuredSweepPtr newest, last;
    RunFailure failure;
};

TEST(SweepSession, ASweepEndsOnceWithWhatItsMeasurementsSay) {
    SweepSession session({}, nullptr, fakeSweep());
    Heard heard(session);
    ASSERT_TRUE(session.start(config()));
    EXPECT_TRUE(session.active());
    EXPECT_FALSE(session.start(config())) << "one at a time";
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_EQ(session.state(), State::Idle);
    ASSERT_EQ(heard.last->figures.size(), 4U);
    EXPECT_EQ(heard.last->figures[1].speedUp->word, "1.33x faster");
    EXPECT_EQ(heard.last->cellRoundsLeft, 0);
    QTest::qWait(600);
    EXPECT_EQ(heard.endings(), 1);
    EXPECT_EQ(heard.afterEnding, 0);
}

TEST(SweepSession, EventsComeInBatchesAndOnlyTheNewestCounts) {
    SweepSession session({}, nullptr, fakeSweep({.step = std::chrono::milliseconds(1), .endless = true}));
    Heard heard(session);
    ASSERT_TRUE(session.start(config()));
    ASSERT_TRUE(heard.waitForSteps());
    ASSERT_TRUE(QTest::qWaitFor([&] { return heard.newest->sweep.cells[0].rounds.size() > 5; }, kPatience));
    EXPECT_LT(heard.changes, 4 * 6) << "fewer than the cells that have changed";
    EXPECT_EQ(heard.newest->figures.size(), 4U);
    session.requestStop();
    EXPECT_EQ(session.state(), State::Stopping);
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_EQ(heard.last->sweep.status, values::RunStatus::Stopped);
}

TEST(SweepSession, APauseHoldsItBetweenTwoCellsAndAStopEndsThePause) {
    SweepSession session({}, nullptr, fakeSweep({.step = std::chrono::milliseconds(1), .endless = true}));
    Heard heard(session);
    ASSERT_TRUE(session.start(config()));
    ASSERT_TRUE(heard.waitForSteps());
    session.pause();
    EXPECT_EQ(session.state(), State::Paused);
    QTest::qWait(600); // the cell under way, and the batch that tells of it
    const int steps = heard.steps;
    QTest::qWait(600);
    EXPECT_EQ(heard.steps, steps);
    session.resume();
    ASSERT_TRUE(QTest::qWaitFor([&] { return heard.steps > steps; }, kPatience));
    session.pause();
    session.requestStop();
    ASSERT_TRUE(heard.waitForEnding());
}

TEST(SweepSession, EveryTroubleIsASentence) {
    struct Case {
        std::exception_ptr thrown;
        QString begins;
        bool cancelled;
    };
    const std::vector<Case> cases{
        {std::make_exception_ptr(ConfigError("batch_sizes", "A batch must hold a picture.")), "A batch must", false},
        {std::make_exception_ptr(Cancelled()), "The sweep was stopped before its first step.", true},
        {std::make_exception_ptr(std::bad_alloc()), "The memory of this machine is used up", false},
        {std::make_exception_ptr(DataError("The folder is gone.")), "The folder is gone.", false}};
    for (const Case& trouble : cases) {
        SweepSession session({}, nullptr, fakeSweep({.thrown = trouble.thrown}));
        Heard heard(session);
        ASSERT_TRUE(session.start(config()));
        ASSERT_TRUE(heard.waitForEnding());
        EXPECT_EQ(heard.failed, 1);
        EXPECT_TRUE(heard.failure.sentence.startsWith(trouble.begins)) << heard.failure.sentence.toStdString();
        EXPECT_EQ(heard.failure.cancelled, trouble.cancelled);
        EXPECT_FALSE(session.active());
    }
}

TEST(SweepSession, ADestroyedSessionStopsItsSweepAndSaysNothing) {
    int endings = 0;
    {
        SweepSession session({}, nullptr, fakeSweep({.step = std::chrono::milliseconds(1), .endless = true}));
        QObject::connect(&session, &SweepSession::finished, [&] { ++endings; });
        ASSERT_TRUE(session.start(config()));
        QTest::qWait(50);
    }
    QTest::qWait(50);
    EXPECT_EQ(endings, 0);
}

TEST(MeasuredSweep, WithOneCellChangedSaysWhatAllOfItWouldSay) {
    values::Sweep sweep = tests::fakeSweepOf(config(), {});
    MeasuredSweepPtr byParts = measuredSweep(sweep);
    for (const std::size_t cell : {1U, 0U, 3U, 0U}) {
        values::SweepCell& state = sweep.cells[cell];
        state.status = values::CellStatus::Ok;
        state.rounds.push_back(
            tests::fakeRound(config(), state.key, static_cast<int>(state.rounds.size()) + 1, true));
        byParts = measuredSweep(*byParts, cell, state);
        const MeasuredSweepPtr whole = measuredSweep(sweep);
        EXPECT_EQ(byParts->sweep.cells, whole->sweep.cells);
        EXPECT_EQ(byParts->cellRoundsLeft, whole->cellRoundsLeft);
        for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
            EXPECT_EQ(byParts->figures[i].median, whole->figures[i].median);
            EXPECT_EQ(byParts->figures[i].interval, whole->figures[i].interval);
            ASSERT_EQ(byParts->figures[i].speedUp.has_value(), whole->figures[i].speedUp.has_value()) << i;
            if (whole->figures[i].speedUp) {
                EXPECT_EQ(byParts->figures[i].speedUp->interval, whole->figures[i].speedUp->interval);
            }
        }
    }
}

TEST(SweepHistory, ReadsWhatIsKeptAndWritesOffTheWindowsThread) {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("runs.sqlite").toStdString();
    SweepSession session({}, nullptr, fakeSweep({.historyFile = file}));
    Heard heard(session);
    ASSERT_TRUE(session.start(config()));
    ASSERT_TRUE(heard.waitForEnding());

    SweepHistory history(file);
    std::vector<SweepEntry> entries;
    MeasuredSweepPtr read;
    QString trouble;
    QObject::connect(&history, &SweepHistory::sweepsRead, [&](const auto& sweeps) { entries = sweeps; });
    QObject::connect(&history, &SweepHistory::sweepRead,
                     [&](std::int64_t, const MeasuredSweepPtr& sweep) { read = sweep; });
    QObject::connect(&history, &SweepHistory::failed, [&](const QString& sentence) { trouble = sentence; });
    QSignalSpy written(&history, &SweepHistory::written);
    history.readSweeps();
    history.readSweep(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return read != nullptr; }, kPatience));
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].cells, 4U);
    EXPECT_EQ(entries[0].status, values::RunStatus::Finished);
    EXPECT_EQ(read->sweep.cells, heard.last->sweep.cells);

    const auto text = [](const values::Sweep& sweep) { return "sweep " + std::to_string(sweep.id); };
    history.write(read, text, folder.filePath("out.txt"));
    ASSERT_TRUE(written.wait(kPatience));
    std::string line;
    std::getline(std::ifstream(folder.filePath("out.txt").toStdString()), line);
    EXPECT_EQ(line, "sweep 1");
    history.write(read, text, "/nowhere/out.txt");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !trouble.isEmpty(); }, kPatience));
    EXPECT_TRUE(trouble.contains("/nowhere/out.txt")) << trouble.toStdString();
}

} // namespace
