#include "engine/tensor/error.h"
#include "tests/ui/fake_run.h"
#include "ui/bridge/event_mailbox.h"
#include "ui/bridge/training_session.h"
#include <QTest>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;
using halfstep::tests::fakeRun;
using State = TrainingSession::State;

namespace {

constexpr int kPatience = 20'000;

/// What a session has said, in order.
struct Heard {
    explicit Heard(TrainingSession& session) {
        QObject::connect(&session, &TrainingSession::events, [this](const auto& batch) {
            ++batches;
            eventsAfterEnding += endings() > 0 ? batch.size() : 0;
            for (const values::RunEvent& event : batch) {
                steps += std::holds_alternative<values::StepRecord>(event) ? 1 : 0;
            }
        });
        QObject::connect(&session, &TrainingSession::finished, [this](const train::RunOutcome& outcome) {
            ++finished;
            summary = outcome.summary;
        });
        QObject::connect(&session, &TrainingSession::failed, [this](const RunFailure& what) {
            ++failed;
            failure = what;
        });
    }
    int endings() const { return finished + failed; }
    bool waitForEnding(int wanted = 1) const {
        return QTest::qWaitFor([&] { return endings() == wanted; }, kPatience);
    }

    int batches = 0, steps = 0, finished = 0, failed = 0;
    std::size_t eventsAfterEnding = 0;
    values::RunSummary summary;
    RunFailure failure;
};

TEST(TrainingSession, EveryStepArrivesAndThenOneEnding) {
    TrainingSession session({}, nullptr, fakeRun({.stepsPerEpoch = 500}));
    Heard heard(session);
    ASSERT_TRUE(session.start({.epochs = 4}));
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_EQ(heard.steps, 2000);
    EXPECT_EQ(heard.finished, 1);
    EXPECT_EQ(heard.failed, 0);
    EXPECT_EQ(session.state(), State::Idle);
    QTest::qWait(250);
    EXPECT_EQ(heard.endings(), 1);
    EXPECT_EQ(heard.eventsAfterEnding, 0U);
}

TEST(TrainingSession, AStopEndsTheRunAndIsNoFailure) {
    TrainingSession session({}, nullptr, fakeRun({.step = std::chrono::milliseconds(1), .endless = true}));
    Heard heard(session);
    session.start({});
    ASSERT_TRUE(QTest::qWaitFor([&] { return heard.steps > 0; }, kPatience));
    session.requestStop();
    EXPECT_EQ(session.state(), State::Stopping);
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_EQ(heard.summary.status, values::RunStatus::Stopped);
}

TEST(TrainingSession, APausedRunMakesNoStepsAndCanBeStopped) {
    TrainingSession session({}, nullptr, fakeRun({.step = std::chrono::milliseconds(1), .endless = true}));
    Heard heard(session);
    session.start({});
    ASSERT_TRUE(QTest::qWaitFor([&] { return heard.steps > 0; }, kPatience));
    session.pause();
    EXPECT_EQ(session.state(), State::Paused);
    QTest::qWait(300); // what was under way arrives
    const int before = heard.steps;
    QTest::qWait(300);
    EXPECT_EQ(heard.steps, before);
    session.resume();
    ASSERT_TRUE(QTest::qWaitFor([&] { return heard.steps > before; }, kPatience));
    session.pause();
    session.requestStop();
    EXPECT_TRUE(heard.waitForEnding());
}

TEST(TrainingSession, OnlyOneRunGoesOnAtATime) {
    TrainingSession session({}, nullptr, fakeRun({.step = std::chrono::milliseconds(1), .endless = true}));
    Heard heard(session);
    EXPECT_TRUE(session.start({}));
    EXPECT_FALSE(session.start({}));
    session.requestStop();
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_TRUE(session.start({}));
    session.requestStop();
    EXPECT_TRUE(heard.waitForEnding(2));
}

TEST(TrainingSession, EveryErrorIsOneFailureWithItsSentence) {
    const std::pair<std::exception_ptr, QString> cases[]{
        {std::make_exception_ptr(ConfigError("batch_size", "Too large.")), "Too large."},
        {std::make_exception_ptr(DataError("No pictures.")), "No pictures."},
        {std::make_exception_ptr(std::runtime_error("odd")), "odd"}};
    for (const auto& [thrown, sentence] : cases) {
        TrainingSession session({}, nullptr, fakeRun({.thrown = thrown}));
        Heard heard(session);
        session.start({});
        ASSERT_TRUE(heard.waitForEnding());
        EXPECT_EQ(heard.failed, 1);
        EXPECT_EQ(heard.failure.sentence, sentence);
        EXPECT_FALSE(heard.failure.cancelled);
    }
}

TEST(TrainingSession, AMistakeInASettingNamesItsField) {
    TrainingSession session({}, nullptr, fakeRun({.thrown = std::make_exception_ptr(ConfigError("device", "No."))}));
    Heard heard(session);
    session.start({});
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_EQ(heard.failure.field, "device");
}

TEST(TrainingSession, BeingCancelledIsTold) {
    TrainingSession session({}, nullptr, fakeRun({.thrown = std::make_exception_ptr(Cancelled())}));
    Heard heard(session);
    session.start({});
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_TRUE(heard.failure.cancelled);
}

TEST(TrainingSession, ItsEndEndsTheRun) {
    bool ended = false;
    {
        TrainingSession session({}, nullptr,
                                [&](const values::ExperimentConfig& config, const train::Places&,
                                    const values::EventSink&, const train::RunControl& control) {
                                    while (!control.stop.stop_requested()) {
                                        control.pause->waitWhilePaused(control.stop);
                                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                    }
                                    ended = true;
                                    return train::RunOutcome{.summary = {}, .environment = {}, .config = config};
                                });
        session.start({});
        session.pause();
    }
    EXPECT_TRUE(ended);
}

TEST(EventMailbox, OfProgressOnlyTheNewestIsKept) {
    EventMailbox mailbox;
    for (int done = 0; done < 1000; ++done) {
        mailbox.put(values::DataProgress{"Decoding", done, 1000});
    }
    const auto content = mailbox.take();
    ASSERT_EQ(content.events.size(), 1U);
    EXPECT_EQ(std::get<values::DataProgress>(content.events.front()).done, 999);
}

TEST(EventMailbox, OfNumericsOnlyTheNewestIsKeptAndEveryStep) {
    EventMailbox mailbox;
    for (int step = 1; step <= 100; ++step) {
        mailbox.put(values::StepRecord{.step = step});
        mailbox.put(values::NumericsRecord{.step = step});
    }
    for (int round = 0; round < 2; ++round) {
        const auto content = mailbox.take();
        int records = 0;
        for (const values::RunEvent& event : content.events) {
            if (const auto* record = std::get_if<values::NumericsRecord>(&event)) {
                ++records;
                EXPECT_EQ(record->step, round == 0 ? 100 : 7);
            }
        }
        EXPECT_EQ(records, 1);
        EXPECT_EQ(content.events.size(), round == 0 ? 101U : 1U);
        mailbox.put(values::NumericsRecord{.step = 7});
    }
}

TEST(EventMailbox, WhatDoesNotFitIsCountedAndSaid) {
    EventMailbox mailbox(10);
    for (int step = 1; step <= 25; ++step) {
        mailbox.put(values::StepRecord{.step = step});
    }
    mailbox.put(values::EpochRecord{.epoch = 1}); // an epoch is never dropped
    const auto content = mailbox.take();
    ASSERT_EQ(content.events.size(), 12U);
    EXPECT_TRUE(std::holds_alternative<values::EpochRecord>(content.events[10]));
    EXPECT_NE(std::get<values::Notice>(content.events[11]).text.find("15 steps"), std::string::npos);
    EXPECT_TRUE(mailbox.take().events.empty());
}

} // namespace
