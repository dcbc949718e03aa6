#include "tests/ui/made_run.h"
#include "ui/bridge/training_session.h"
#include "ui/charts/curve_chart.h"
#include "ui/models/recorded_run.h"
#include "ui/pages/live_page.h"
#include "ui/widgets/banner.h"
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace halfstep::ui {
namespace {

using values::RunStatus;

RunRecords recordsOf(const MadeRun& made) {
    RunRecords records;
    records.run.id = 7;
    records.run.status = made.status;
    records.run.config.epochs = made.epochs;
    records.run.stepsDone = static_cast<std::int64_t>(stepsOf(made).size());
    records.run.epochsDone = made.epochs;
    records.run.environment.device = "cpu";
    records.steps = stepsOf(made);
    for (int epoch = 1; epoch <= made.epochs; ++epoch) {
        records.epochs.push_back({.epoch = epoch, .valLoss = 0.5, .valAccuracy = 0.25});
    }
    return records;
}

TEST(RecordedRun, ItsEventsComeInTheOrderInWhichTheyWereReported) {
    const RunRecords records = recordsOf({.epochs = 2});
    const std::vector<values::RunEvent> events = eventsOf(records);
    ASSERT_EQ(events.size(), 1 + records.steps.size() + 2);
    const auto& plan = std::get<values::RunPlan>(events.front());
    EXPECT_EQ(plan.run, 7);
    EXPECT_EQ(plan.stepsPerEpoch, kStepsPerEpoch);
    std::int64_t steps = 0;
    std::vector<std::int64_t> stepsBeforeAnEpochEnded;
    for (const values::RunEvent& event : events) {
        steps += std::holds_alternative<values::StepRecord>(event) ? 1 : 0;
        if (std::holds_alternative<values::EpochRecord>(event)) {
            stepsBeforeAnEpochEnded.push_back(steps);
        }
    }
    EXPECT_EQ(stepsBeforeAnEpochEnded,
              std::vector<std::int64_t>({kStepsPerEpoch, static_cast<std::int64_t>(records.steps.size())}));
}

TEST(RecordedRun, ARunThatWasStoppedBeforeItsFirstEpochEndedHasAPlanToo) {
    RunRecords records = recordsOf({.epochs = 1});
    records.epochs.clear();
    const std::vector<values::RunEvent> events = eventsOf(records);
    EXPECT_EQ(std::get<values::RunPlan>(events.front()).totalSteps, static_cast<std::int64_t>(records.steps.size()));
}

class LivePageOfHistory : public testing::Test {
protected:
    LivePageOfHistory() : history(folder.filePath("runs.sqlite").toStdString()) {
        context.places = {.cacheFolder = folder.filePath("cache").toStdString(),
                          .historyFile = folder.filePath("runs.sqlite").toStdString()};
    }
    QTemporaryDir folder;
    store::RunStore history;
    AppContext context;
};

TEST_F(LivePageOfHistory, ARunIsOpenedAsItEnded) {
    const MadeRun made{.median = 100, .status = RunStatus::Stopped};
    const std::int64_t run = enter(history, made);
    LivePage page(context);
    page.setTheme(themeFor(ThemeKind::Light));
    page.show();
    page.open(run);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.run() && page.run()->summary(); }));
    EXPECT_EQ(page.run()->steps(), stepsOf(made));
    EXPECT_EQ(page.run()->summary()->status, RunStatus::Stopped);
    EXPECT_EQ(page.lossChart()->points(0).size(), stepsOf(made).size());
    EXPECT_TRUE(page.lastRemark().startsWith("Run 1 was stopped after 23 steps")) << page.lastRemark().toStdString();
}

TEST_F(LivePageOfHistory, WhatARunDidBeforeItGoesOnStandsBeforeWhatComes) {
    const MadeRun made{.median = 100, .status = RunStatus::Stopped, .epochs = 1};
    const std::int64_t run = enter(history, made);
    LivePage page(context);
    page.setTheme(themeFor(ThemeKind::Light));
    page.show();
    page.goOn(history.run(run)->config);
    const auto before = stepsOf(made);
    values::StepRecord next = before.back();
    std::vector<values::RunEvent> come{values::RunPlan{.run = run, .totalSteps = 40, .epochs = 2}};
    for (int i = 0; i < 3; ++i) {
        ++next.step;
        next.epoch = 2;
        come.emplace_back(next);
    }
    page.apply(come); // the records are being read meanwhile
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.run()->steps().size() == before.size() + 3; }));
    ++next.step;
    page.apply({come.back(), next}); // one of them again
    ASSERT_EQ(page.run()->steps().size(), before.size() + 4);
    for (std::size_t i = 0; i < page.run()->steps().size(); ++i) {
        EXPECT_EQ(page.run()->steps()[i].step, static_cast<std::int64_t>(i) + 1);
    }
    EXPECT_EQ(page.run()->epochs().size(), 1U);
    EXPECT_EQ(page.run()->plan()->totalSteps, 40);
}

} // namespace
} // namespace halfstep::ui
