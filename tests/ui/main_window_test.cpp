#include "engine/backend/devices.h"
#include "engine/store/run_store.h"
#include "engine/tensor/error.h"
#include "tests/ui/coloured_set.h"
#include "tests/ui/fake_dataset.h"
#include "tests/ui/fake_run.h"
#include "tests/ui/fake_sweep.h"
#include "tests/ui/made_run.h"
#include "ui/bridge/signal_watcher.h"
#include "ui/charts/curve_chart.h"
#include "ui/main_window.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/compare_runs.h"
#include "ui/pages/compare_sweep.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/form_field.h"
#include "ui/pages/history_page.h"
#include "ui/pages/history_table.h"
#include "ui/pages/live_page.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/status_strip.h"
#include "ui/pages/sweep_panel.h"
#include "ui/pages/why_page.h"
#include "ui/pages/why_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include <QAccessible>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QDropEvent>
#include <QImage>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <csignal>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;
using halfstep::tests::fakeRun;
using halfstep::tests::FakeRunPlan;
using State = TrainingSession::State;

namespace {

constexpr int kPatience = 120'000;

class MainWindowTest : public testing::Test {
protected:
    MainWindowTest() : settings(folder.filePath("settings.ini"), QSettings::IniFormat) {
        context.places = {.cacheFolder = folder.filePath("cache").toStdString(),
                          .historyFile = folder.filePath("runs.sqlite").toStdString()};
        context.devices = backend::devices();
        context.settings = &settings;
    }
    std::unique_ptr<MainWindow> show(const TrainingSession::RunFunction& run) {
        auto window = std::make_unique<MainWindow>(
            context, run,
            [](const std::string&, const data::OpenOptions&, const data::ProgressSink&, std::stop_token) {
                return std::make_shared<FakeDataset>(40);
            },
            halfstep::tests::fakeSweep({.step = std::chrono::milliseconds(2), .endless = true}));
        window->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
        return window;
    }
    static bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kPatience); }
    static bool waitForSteps(MainWindow& window) {
        return waitFor([&] { return window.livePage()->run() && !window.livePage()->run()->steps().empty(); });
    }

    QTemporaryDir folder;
    QSettings settings;
    AppContext context;
    const FakeRunPlan kEndless{.step = std::chrono::milliseconds(2), .endless = true};
};

TEST_F(MainWindowTest, WhileARunTrainsNothingIsProfiled) {
    const auto window = show(fakeRun(kEndless));
    QTest::keyClick(window.get(), Qt::Key_4, Qt::ControlModifier);
    WhyPage* why = window->whyPage();
    ASSERT_TRUE(why->isVisible());
    EXPECT_TRUE(why->empty()->button()->isEnabled());
    window->form()->requestStart();
    ASSERT_TRUE(waitForSteps(*window));
    window->showPage(3);
    EXPECT_FALSE(why->empty()->button()->isEnabled());
    emit why->profileWanted();
    EXPECT_FALSE(why->session()->active());
    EXPECT_TRUE(why->banner()->message().contains("A run is training"));
    window->session()->requestStop();
    EXPECT_TRUE(waitFor([&] { return why->empty()->button()->isEnabled(); }));
}

TEST_F(MainWindowTest, TheExperimentOfTheFormIsProfiledForReal) {
    const auto window = show(fakeRun(kEndless));
    values::ExperimentConfig config = window->form()->config();
    config.data = "sample";
    config.policy = precision::Policy::MixedBFloat16;
    config.batchSize = 4;
    config.imageSize = 32;
    window->form()->setConfig(config);
    window->showPage(3);
    QTest::mouseClick(window->whyPage()->empty()->button(), Qt::LeftButton);
    ASSERT_TRUE(window->whyPage()->session()->active());
    ASSERT_TRUE(waitFor([&] { return !window->whyPage()->session()->active(); }));
    EXPECT_TRUE(window->whyPage()->view()->isVisible());
    EXPECT_TRUE(window->whyPage()->caption().contains("mixed_bfloat16 · batch 4 · 32 px"));
    EXPECT_FALSE(QFile::exists(folder.filePath("runs.sqlite"))) << "no run is kept";
}

TEST_F(MainWindowTest, WhileASweepIsMeasuredNothingElseIs) {
    const auto window = show(fakeRun(kEndless));
    window->showPage(2);
    CompareSweep* sweep = window->comparePage()->sweep();
    QTest::mouseClick(sweep->panel()->startButton(), Qt::LeftButton);
    ASSERT_TRUE(sweep->session()->active());
    ASSERT_TRUE(waitFor([&] { return window->statusStrip()->stateText() == "Measuring"; }));
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier);
    EXPECT_EQ(window->statusStrip()->stateText(), "Paused");
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier);
    EXPECT_EQ(sweep->session()->state(), SweepSession::State::Running);
    EXPECT_FALSE(window->form()->controls()->startButton()->isEnabled());
    EXPECT_EQ(window->form()->controls()->sentence(), "A sweep is being measured: start a run when it has ended.");
    window->form()->requestStart();
    EXPECT_FALSE(window->session()->active());
    emit window->whyPage()->profileWanted();
    EXPECT_FALSE(window->whyPage()->session()->active());
    EXPECT_TRUE(window->whyPage()->banner()->message().contains("A sweep is being measured"));
    QTest::keyClick(window.get(), Qt::Key_Period, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return !sweep->session()->active(); }));
    EXPECT_EQ(window->statusStrip()->stateText(), "Ready");
    EXPECT_TRUE(window->form()->controls()->startButton()->isEnabled());
    EXPECT_TRUE(window->whyPage()->empty()->button()->isEnabled());
}

TEST_F(MainWindowTest, WhileARunTrainsNoSweepStarts) {
    const auto window = show(fakeRun(kEndless));
    window->form()->requestStart();
    ASSERT_TRUE(waitForSteps(*window));
    CompareSweep* sweep = window->comparePage()->sweep();
    EXPECT_FALSE(sweep->panel()->startButton()->isEnabled());
    EXPECT_EQ(sweep->panel()->sentence(), "A run is training: start the sweep when it has ended.");
    window->session()->requestStop();
    ASSERT_TRUE(waitFor([&] { return sweep->panel()->startButton()->isEnabled(); }));
}

TEST_F(MainWindowTest, ClosingMidSweepEndsItAndThenCloses) {
    const auto window = show(fakeRun({}));
    window->showPage(2);
    CompareSweep* sweep = window->comparePage()->sweep();
    QTest::mouseClick(sweep->panel()->startButton(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return sweep->shown() != nullptr; }));
    EXPECT_FALSE(window->close()) << "the step that is under way comes first";
    ASSERT_TRUE(waitFor([&] { return !window->isVisible(); }));
    EXPECT_EQ(sweep->shown()->sweep.status, values::RunStatus::Stopped);
}

TEST_F(MainWindowTest, ACellOfASweepIsExplainedOnWhy) {
    const auto window = show(fakeRun({}));
    values::ExperimentConfig config{.data = "sample", .policy = precision::Policy::MixedFloat16, .batchSize = 4};
    config.imageSize = 32;
    emit window->comparePage()->whyWanted(config);
    EXPECT_TRUE(window->whyPage()->isVisible());
    ASSERT_TRUE(window->whyPage()->session()->active());
    EXPECT_EQ(window->comparePage()->sweep()->panel()->sentence(),
              "A profile is being made: start the sweep when it has ended.");
    ASSERT_TRUE(waitFor([&] { return !window->whyPage()->session()->active(); }));
    EXPECT_TRUE(window->whyPage()->caption().contains("mixed_float16 · batch 4 · 32 px"));
}

TEST_F(MainWindowTest, StartShowsTheLossAndStopKeepsTheRun) {
    const auto window = show(fakeRun(kEndless));
    QTest::keyClick(window.get(), Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(waitForSteps(*window));
    EXPECT_TRUE(window->livePage()->isVisible());
    EXPECT_FALSE(window->form()->controls()->startButton()->isEnabled());
    EXPECT_FALSE(window->livePage()->lossChart()->isEmpty());
    EXPECT_EQ(window->statusStrip()->stateText(), "Running");
    QTest::mouseClick(window->form()->controls()->stopButton(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !window->session()->active(); }));
    EXPECT_EQ(window->statusStrip()->stateText(), "Stopped");
    EXPECT_TRUE(window->livePage()->lastRemark().contains("stopped after"));
    EXPECT_TRUE(window->form()->controls()->startButton()->isEnabled());
}

TEST_F(MainWindowTest, PauseHoldsTheRunAndTheKeyGoesOn) {
    const auto window = show(fakeRun(kEndless));
    window->form()->requestStart();
    ASSERT_TRUE(waitForSteps(*window));
    QTest::mouseClick(window->form()->controls()->pauseButton(), Qt::LeftButton);
    EXPECT_EQ(window->session()->state(), State::Paused);
    EXPECT_EQ(window->form()->controls()->pauseButton()->text(), "Go on");
    EXPECT_EQ(window->statusStrip()->stateText(), "Paused");
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier);
    EXPECT_EQ(window->session()->state(), State::Running);
    QTest::keyClick(window.get(), Qt::Key_Period, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([&] { return !window->session()->active(); }));
}

TEST_F(MainWindowTest, ClosingMidRunEndsItKeepsItAndThenCloses) {
    const auto window = show(fakeRun(kEndless));
    window->form()->requestStart();
    ASSERT_TRUE(waitForSteps(*window));
    EXPECT_FALSE(window->close()) << "the step that is under way comes first";
    EXPECT_TRUE(window->isVisible());
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
    ASSERT_TRUE(waitFor([&] { return !window->isVisible(); }));
    ASSERT_TRUE(window->livePage()->run()->summary().has_value());
    EXPECT_EQ(window->livePage()->run()->summary()->status, values::RunStatus::Stopped);
}

TEST_F(MainWindowTest, ATerminatedWindowEndsItsRunAndKeepsIt) {
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    {
        SignalWatcher watcher;
        const auto window = show(fakeRun(kEndless));
        QObject::connect(&watcher, &SignalWatcher::terminationRequested, window.get(), &QWidget::close);
        window->form()->requestStart();
        ASSERT_TRUE(waitForSteps(*window));
        pthread_kill(pthread_self(), SIGTERM); // to this thread: others of the test program may not block it
        ASSERT_TRUE(waitFor([&] { return !window->isVisible(); }));
        EXPECT_EQ(window->livePage()->run()->summary()->status, values::RunStatus::Stopped);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(MainWindowTest, AFailureIsASentenceInTheWindow) {
    const auto window =
        show(fakeRun({.thrown = std::make_exception_ptr(ConfigError("batch_size", "A batch of 32 does not fit."))}));
    window->form()->requestStart();
    ASSERT_TRUE(waitFor([&] { return !window->session()->active(); }));
    EXPECT_EQ(window->livePage()->banner()->message(), "A batch of 32 does not fit.");
    EXPECT_EQ(window->form()->field("batch_size")->problem(), "A batch of 32 does not fit.");
}

TEST_F(MainWindowTest, ALossThatIsNotFiniteIsDrawnAsAGap) {
    const auto window = show(fakeRun({.loss = std::nan("")}));
    window->form()->requestStart();
    ASSERT_TRUE(waitFor([&] { return window->livePage()->run() && window->livePage()->run()->summary(); }));
    EXPECT_GT(window->livePage()->lossChart()->notDrawn(), 0U);
}

TEST_F(MainWindowTest, EveryPageHasItsKey) {
    const auto window = show(fakeRun({}));
    for (int page = 3; page >= 0; --page) {
        QTest::keyClick(window.get(), static_cast<Qt::Key>(Qt::Key_1 + page), Qt::ControlModifier);
        EXPECT_TRUE(window->page(page)->isVisible()) << page;
    }
}

TEST_F(MainWindowTest, TheListOfShortcutsOpensWithoutBeingModal) {
    const auto window = show(fakeRun({}));
    QTest::keyClick(window.get(), Qt::Key_F1);
    const auto dialogs = window->findChildren<QDialog*>();
    ASSERT_EQ(dialogs.size(), 1);
    EXPECT_TRUE(dialogs.front()->isVisible());
    EXPECT_FALSE(dialogs.front()->isModal());
}

TEST_F(MainWindowTest, EverythingThatTakesTheFocusHasAName) {
    const auto window = show(fakeRun({.stepsPerEpoch = 20}));
    window->form()->requestStart();
    ASSERT_TRUE(waitFor([&] { return window->livePage()->run() && window->livePage()->run()->summary(); }));
    for (int page = 0; page < 6; ++page) {
        window->showPage(page);
        QTest::qWait(300); // sets and histories are read off the GUI thread
        for (QWidget* widget : window->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || widget->focusProxy() != nullptr) {
                continue;
            }
            QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
            ASSERT_NE(interface, nullptr);
            EXPECT_FALSE(interface->text(QAccessible::Name).isEmpty())
                << "page " << page << ": " << widget->metaObject()->className() << ' '
                << widget->objectName().toStdString() << " in " << widget->parentWidget()->metaObject()->className();
        }
    }
}

TEST_F(MainWindowTest, ThemeAndExperimentAreRemembered) {
    {
        const auto window = show(fakeRun({}));
        window->form()->setConfig({.policy = precision::Policy::MixedFloat16, .batchSize = 24, .imageSize = 32});
        QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
        EXPECT_EQ(window->theme().kind, ThemeKind::Dark);
        EXPECT_TRUE(window->close());
    }
    const auto again = show(fakeRun({}));
    EXPECT_EQ(again->theme().kind, ThemeKind::Dark);
    EXPECT_EQ(again->form()->config().policy, precision::Policy::MixedFloat16);
    EXPECT_EQ(again->form()->config().batchSize, 24);
}

TEST_F(MainWindowTest, AFolderDroppedOnTheWindowIsTheSource) {
    const auto window = show(fakeRun({}));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(folder.path())});
    QDropEvent drop({640, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    static_cast<QObject*>(window.get())->event(&drop); // without the drag that a desktop makes before it
    EXPECT_EQ(window->form()->dataSource(), folder.path());
}

TEST_F(MainWindowTest, ARealRunIsShownStepByStepAndStaysInTheHistory) {
    MainWindow window(context);
    window.form()->setConfig(
        {.data = makeColouredSet(QDir(folder.path())).toStdString(), .batchSize = 8, .epochs = 2, .imageSize = 32});
    window.show();
    window.form()->requestStart();
    ASSERT_TRUE(waitFor([&] { return !window.session()->active(); }));
    ASSERT_TRUE(window.livePage()->run().has_value()) << window.livePage()->banner()->message().toStdString();
    const LiveRun& run = *window.livePage()->run();
    ASSERT_TRUE(run.summary().has_value());
    EXPECT_EQ(run.summary()->status, values::RunStatus::Finished);
    EXPECT_EQ(run.steps().size(), 18U);
    EXPECT_EQ(run.epochs().size(), 2U);
    EXPECT_EQ(exportChart(*window.livePage()->lossChart(), folder.filePath("loss.csv")), QString());
    const auto kept = store::RunStore(context.places.historyFile).runs();
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept.front().stepsDone, 18);
    EXPECT_EQ(kept.front().status, values::RunStatus::Finished);
}

TEST_F(MainWindowTest, AStoppedRunGoesOnFromTheHistoryToItsEnd) {
    MainWindow window(context);
    window.form()->setConfig(
        {.data = makeColouredSet(QDir(folder.path())).toStdString(), .batchSize = 4, .epochs = 6, .imageSize = 32});
    window.show();
    window.form()->requestStart();
    ASSERT_TRUE(waitForSteps(window));
    window.session()->requestStop();
    ASSERT_TRUE(waitFor([&] { return !window.session()->active(); }));
    const std::size_t before = window.livePage()->run()->steps().size();
    ASSERT_LT(before, 108U) << "too fast to be stopped in time";
    const auto stopped = store::RunStore(context.places.historyFile).runs();
    ASSERT_EQ(stopped.size(), 1U);
    ASSERT_FALSE(stopped.front().config.checkpoint.empty());

    window.showPage(5);
    HistoryPage* page = window.historyPage();
    auto* resume = page->findChild<QPushButton*>("historyResume");
    ASSERT_TRUE(waitFor([&] { return page->entries().rowCount() == 1 && resume->isEnabled(); }));
    resume->click();
    ASSERT_TRUE(window.session()->active());
    ASSERT_TRUE(waitFor([&] { return !window.session()->active(); }));
    ASSERT_TRUE(waitFor([&] { return window.livePage()->run()->steps().size() == 108; }))
        << window.livePage()->run()->steps().size() << window.livePage()->banner()->message().toStdString();
    const auto kept = store::RunStore(context.places.historyFile).runs();
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept.front().status, values::RunStatus::Finished);
    EXPECT_EQ(kept.front().stepsDone, 108);
}

TEST_F(MainWindowTest, ARunIsOpenedAndComparedFromTheHistory) {
    store::RunStore history(context.places.historyFile);
    enter(history, {});
    const std::int64_t run = enter(history, {.policy = precision::Policy::MixedFloat16});
    const auto window = show(fakeRun({}));
    window->showPage(5);
    HistoryPage* page = window->historyPage();
    ASSERT_TRUE(waitFor([&] { return page->entries().rowCount() == 2; }));
    auto* open = page->findChild<QPushButton*>("historyOpen");
    ASSERT_TRUE(waitFor([&] { return open->isEnabled(); })); // the newest is selected by itself
    open->click();
    EXPECT_TRUE(window->livePage()->isVisible());
    ASSERT_TRUE(waitFor([&] { return window->livePage()->run() && window->livePage()->run()->summary(); }));
    EXPECT_EQ(window->livePage()->run()->summary()->run, run);

    window->showPage(5);
    page->findChild<QPushButton*>("historyCompare")->click();
    auto* compare = static_cast<ComparePage*>(window->page(2));
    EXPECT_TRUE(compare->isVisible());
    ASSERT_TRUE(waitFor([&] { return compare->runs()->runs().rowCount() == 2; }));
    EXPECT_EQ(compare->runs()->runs().checkedRuns(), std::vector{run});
}

TEST_F(MainWindowTest, ARealRunOnTheSampleCanBeStoppedAtOnce) {
    MainWindow window(context);
    window.form()->setConfig({.batchSize = 8, .epochs = 5, .imageSize = 32});
    window.show();
    window.form()->requestStart();
    ASSERT_TRUE(waitFor([&] { return window.session()->active(); }));
    window.session()
        ->requestStop(); // while the sample is being drawn, or while the run waits for the Data page to draw it
    ASSERT_TRUE(waitFor([&] { return !window.session()->active(); }));
    EXPECT_FALSE(window.livePage()->banner()->message().isEmpty() && window.livePage()->lastRemark().isEmpty());
    EXPECT_TRUE(window.form()->controls()->startButton()->isEnabled());
}

} // namespace
