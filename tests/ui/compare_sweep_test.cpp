// Sweeps on the page Compare: started, held, stopped, resumed and exported by clicks.
#include "engine/store/sweep_export.h"
#include "engine/store/sweep_store.h"
#include "engine/tensor/error.h"
#include "tests/ui/coloured_set.h"
#include "tests/ui/fake_sweep.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/compare_sweep.h"
#include "ui/pages/form_field.h"
#include "ui/pages/sweep_grid.h"
#include "ui/pages/sweep_panel.h"
#include "ui/pages/sweep_picker.h"
#include "ui/pages/sweep_scaling.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace halfstep;
using namespace halfstep::ui;
using halfstep::tests::fakeSweep;
using halfstep::tests::FakeSweepPlan;
using precision::Policy;
using testing::HasSubstr;
using values::CellStatus;
using values::RunStatus;
using State = SweepSession::State;

namespace {

constexpr int kPatience = 120'000;

class CompareSweepTest : public testing::Test {
protected:
    CompareSweepTest() : settings(folder.filePath("settings.ini"), QSettings::IniFormat) {
        context.places = {.cacheFolder = folder.filePath("cache").toStdString(),
                          .historyFile = folder.filePath("runs.sqlite").toStdString()};
        backend::DeviceInfo cpu;
        cpu.id = "cpu";
        cpu.usable = true;
        cpu.cores = 2;
        cpu.isas = {"avx2", "sse4"};
        context.devices = {cpu};
        context.settings = &settings;
    }
    std::unique_ptr<ComparePage> show(const SweepSession::SweepFunction& sweep = SweepSession::runOrResume) {
        auto page = std::make_unique<ComparePage>(context, nullptr, sweep);
        page->setTheme(themeFor(ThemeKind::Light));
        page->sweep()->setHost({.experiment = [] { return values::ExperimentConfig{.imageSize = 32, .threads = 2}; },
                                .problems = [] { return std::vector<values::FieldProblem>{}; },
                                .busy = [this] { return busy; }});
        page->resize(976, 720);
        page->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(page.get()));
        return page;
    }
    /// Two policies at 4 and 8 images, 1 + 2 steps, 2 rounds.
    static void fill(ComparePage& page) {
        page.sweep()->panel()->form()->setConfig({.policies = {Policy::Float32, Policy::MixedFloat16},
                                                  .batchSizes = {4, 8},
                                                  .steps = 2,
                                                  .warmup = 1,
                                                  .repeats = 2});
        page.sweep()->refreshPlan();
    }
    static void click(QPushButton* button) { QTest::mouseClick(button, Qt::LeftButton); }
    static bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kPatience); }
    static bool waitForEnd(ComparePage& page) {
        return waitFor([&] { return !page.sweep()->session()->active(); });
    }
    static CellLook look(ComparePage& page, int row, int column) {
        return page.sweep()->grid()->model()->index(row, column).data(SweepGridModel::kLookRole).value<CellLook>();
    }
    /// Answers the file dialog that is open.
    static void save(const QString& file) {
        QFileDialog* dialog = nullptr;
        ASSERT_TRUE(waitFor([&] {
            for (QWidget* widget : QApplication::topLevelWidgets()) {
                if (widget->objectName() == "sweepExportDialog" && widget->isVisible()) {
                    dialog = qobject_cast<QFileDialog*>(widget);
                }
            }
            return dialog != nullptr;
        }));
        dialog->selectFile(file);
        static_cast<QDialog*>(dialog)->setResult(QDialog::Accepted);
        emit dialog->fileSelected(file);
        dialog->close();
    }
    std::string content(const char* name) const {
        std::ostringstream text;
        text << std::ifstream(folder.filePath(name).toStdString()).rdbuf();
        return text.str();
    }
    FakeSweepPlan slow() const {
        return {.step = std::chrono::milliseconds(2), .historyFile = context.places.historyFile};
    }

    QTemporaryDir folder;
    QSettings settings;
    AppContext context;
    QString busy;
};

TEST_F(CompareSweepTest, SaysWhatStartWillDoBeforeAnythingIsThere) {
    const auto page = show(fakeSweep());
    fill(*page);
    EXPECT_TRUE(page->sweep()->findChild<EmptyState*>()->isVisible());
    EXPECT_FALSE(page->sweep()->picker()->isVisible());
    EXPECT_THAT(page->sweep()->panel()->sentence().toStdString(), HasSubstr("4 cells × 2 rounds × 3 steps: "));
    page->exportShown();
    EXPECT_THAT(page->sweep()->banner()->message().toStdString(), HasSubstr("start a sweep first"));
}

TEST_F(CompareSweepTest, WhatIsWrongIsSaidAtItsFieldAndNothingStarts) {
    const auto page = show(fakeSweep());
    const auto sizes = [&](const QString& text) {
        auto* field = page->sweep()->panel()->form()->field("batch_sizes");
        qobject_cast<QLineEdit*>(field->editor())->setText(text);
        return field->problem().toStdString();
    };
    EXPECT_EQ(sizes("8, 16 32"), "");
    EXPECT_TRUE(page->sweep()->panel()->startButton()->isEnabled());
    EXPECT_EQ(sizes("8, many"), "“8, many” is no list of batch sizes; write one like 8, 16, 32.");
    EXPECT_FALSE(page->sweep()->panel()->startButton()->isEnabled());
    EXPECT_THAT(sizes("8, 8"), HasSubstr("8 stands twice in the list"));
    EXPECT_THAT(sizes(""), HasSubstr("no batch size"));
    sizes("8");
    auto* limit = page->sweep()->panel()->form()->field("memory_limit_bytes");
    qobject_cast<QLineEdit*>(limit->editor())->setText("a lot");
    EXPECT_THAT(limit->problem().toStdString(), HasSubstr("is no amount of memory"));
    qobject_cast<QLineEdit*>(limit->editor())->setText("400 MiB");
    EXPECT_EQ(page->sweep()->panel()->form()->config({}).base.memoryLimitBytes, 400U << 20);
}

TEST_F(CompareSweepTest, WhileSomethingElseIsMeasuredItSaysWhyNot) {
    busy = "A run is training: start the sweep when it has ended.";
    const auto page = show(fakeSweep());
    EXPECT_FALSE(page->sweep()->panel()->startButton()->isEnabled());
    EXPECT_EQ(page->sweep()->panel()->sentence(), busy);
    page->sweep()->start();
    EXPECT_FALSE(page->sweep()->session()->active());
}

TEST_F(CompareSweepTest, ItsCellsFillAndPauseAndStopTakeHold) {
    FakeSweepPlan plan = slow();
    plan.endless = true;
    const auto page = show(fakeSweep(plan));
    fill(*page);
    SweepPanel* panel = page->sweep()->panel();
    click(panel->startButton());
    ASSERT_TRUE(waitFor([&] { return page->sweep()->shown() && look(*page, 1, 2).sort; }));
    EXPECT_THAT(panel->sentence().toStdString(), HasSubstr("Measurement "));
    EXPECT_THAT(panel->drawCost().toStdString(), HasSubstr("drawing cost"));
    EXPECT_FALSE(panel->startButton()->isVisible());
    EXPECT_FALSE(page->sweep()->picker()->moreButton()->isVisible());
    click(panel->pauseButton());
    EXPECT_EQ(page->sweep()->session()->state(), State::Paused);
    EXPECT_EQ(panel->pauseButton()->text(), "Go on");
    QTest::qWait(600); // the cell under way comes to its end
    const auto rounds = page->sweep()->shown()->sweep.cells[0].rounds.size();
    QTest::qWait(600);
    EXPECT_EQ(page->sweep()->shown()->sweep.cells[0].rounds.size(), rounds);
    click(panel->pauseButton());
    ASSERT_TRUE(waitFor([&] { return page->sweep()->shown()->sweep.cells[0].rounds.size() > rounds; }));
    click(panel->stopButton());
    ASSERT_TRUE(waitForEnd(*page));
    EXPECT_EQ(page->sweep()->shown()->sweep.status, RunStatus::Stopped);
    EXPECT_TRUE(panel->startButton()->isVisible());
    ASSERT_TRUE(waitFor([&] { return page->sweep()->picker()->sweeps()->currentText().contains("stopped"); }));
}

TEST_F(CompareSweepTest, ADeletedSweepLeavesNoCellsUnderAnotherName) {
    store::SweepStore store(context.places.historyFile);
    const auto page = show(fakeSweep(slow()));
    for (int i = 1; i <= 2; ++i) {
        fill(*page);
        click(page->sweep()->panel()->startButton());
        ASSERT_TRUE(waitForEnd(*page));
    }
    ASSERT_EQ(page->sweep()->shown()->sweep.id, 2);
    ASSERT_TRUE(store.remove(2));
    page->historyChanged();
    ASSERT_TRUE(waitFor([&] { return page->sweep()->shown() && page->sweep()->shown()->sweep.id == 1; }));
    EXPECT_EQ(page->sweep()->picker()->chosen(), 1);
    ASSERT_TRUE(store.remove(1));
    page->historyChanged();
    ASSERT_TRUE(waitFor([&] { return page->sweep()->findChild<EmptyState*>()->isVisible(); }));
    EXPECT_EQ(page->sweep()->shown(), nullptr);
}

TEST_F(CompareSweepTest, ASweepThatIsGoneIsNotWaitedForAndWhatShowsStays) {
    const auto page = show(fakeSweep(slow()));
    fill(*page);
    click(page->sweep()->panel()->startButton());
    ASSERT_TRUE(waitForEnd(*page));
    page->showSweep(17);
    ASSERT_NE(page->sweep()->shown(), nullptr) << "a click on a cell finds its sweep at any time";
    ASSERT_TRUE(waitFor([&] { return page->sweep()->picker()->chosen() == 1; }));
    EXPECT_TRUE(page->sweep()->picker()->isVisible());
    EXPECT_EQ(page->sweep()->shown()->sweep.id, 1);
}

TEST_F(CompareSweepTest, ASweepThatCannotGoOnLeavesThePageUsable) {
    {
        const auto page = show(fakeSweep(slow()));
        fill(*page);
        click(page->sweep()->panel()->startButton());
        ASSERT_TRUE(waitForEnd(*page));
    }
    const auto page = show(fakeSweep({.thrown = std::make_exception_ptr(DataError("The folder is not there."))}));
    page->resumeSweep(1);
    ASSERT_TRUE(waitForEnd(*page));
    ASSERT_TRUE(waitFor([&] { return page->sweep()->shown() != nullptr; }));
    EXPECT_EQ(page->sweep()->banner()->message(), "The folder is not there.");
    EXPECT_TRUE(page->sweep()->picker()->isVisible());
}

TEST_F(CompareSweepTest, AfterARestartAStoppedSweepGoesOn) {
    {
        FakeSweepPlan plan = slow();
        plan.step = std::chrono::milliseconds(100);
        const auto page = show(fakeSweep(plan));
        fill(*page);
        click(page->sweep()->panel()->startButton());
        ASSERT_TRUE(waitFor([&] { return page->sweep()->shown() && page->sweep()->shown()->cellRoundsLeft <= 7; }));
        click(page->sweep()->panel()->stopButton());
        ASSERT_TRUE(waitForEnd(*page));
    }
    const auto page = show(fakeSweep(slow()));
    ASSERT_TRUE(waitFor([&] { return page->sweep()->shown() != nullptr; }));
    const auto left = page->sweep()->shown()->cellRoundsLeft;
    EXPECT_GT(left, 0);
    EXPECT_LE(left, 7);
    ASSERT_TRUE(page->sweep()->picker()->resumeButton()->isVisible());
    EXPECT_FALSE(page->sweep()->picker()->moreButton()->isVisible());
    click(page->sweep()->picker()->resumeButton());
    ASSERT_TRUE(waitForEnd(*page));
    EXPECT_EQ(page->sweep()->shown()->sweep.status, RunStatus::Finished);
    EXPECT_EQ(page->sweep()->shown()->sweep.id, 1);
    EXPECT_EQ(page->sweep()->shown()->cellRoundsLeft, 0);
    click(page->sweep()->picker()->moreButton());
    ASSERT_TRUE(waitForEnd(*page));
    EXPECT_EQ(page->sweep()->shown()->sweep.cells[3].rounds.size(), 4U);
}

TEST_F(CompareSweepTest, CellsThatWereDisturbedAreMeasuredAgain) {
    FakeSweepPlan plan = slow();
    plan.disturbed = values::CellKey{Policy::Float32, 8, "cpu", "auto"};
    const auto disturbed = show(fakeSweep(plan));
    fill(*disturbed);
    click(disturbed->sweep()->panel()->startButton());
    ASSERT_TRUE(waitForEnd(*disturbed));
    EXPECT_EQ(look(*disturbed, 1, 1).status, CellStatus::Disturbed);
    EXPECT_EQ(disturbed->sweep()->picker()->againButton()->text(), "Measure 1 disturbed cell again");

    const auto page = show(fakeSweep(slow()));
    ASSERT_TRUE(waitFor([&] { return page->sweep()->picker()->againButton()->isVisible(); }));
    click(page->sweep()->picker()->againButton());
    ASSERT_TRUE(waitForEnd(*page));
    EXPECT_EQ(look(*page, 1, 1).status, CellStatus::Ok);
    EXPECT_EQ(page->sweep()->shown()->sweep.cells[2].rounds.size(), 2U);
    EXPECT_FALSE(page->sweep()->picker()->againButton()->isVisible());
}

TEST_F(CompareSweepTest, TroubleIsASentenceOnThePage) {
    const auto page = show(
        fakeSweep({.thrown = std::make_exception_ptr(ConfigError("batch_sizes", "A batch of 9999 does not fit."))}));
    click(page->sweep()->panel()->startButton());
    ASSERT_TRUE(waitForEnd(*page));
    EXPECT_EQ(page->sweep()->banner()->message(), "A batch of 9999 does not fit.");
    EXPECT_TRUE(page->sweep()->banner()->isVisible());
    EXPECT_EQ(page->sweep()->panel()->form()->field("batch_sizes")->problem(), "A batch of 9999 does not fit.");
}

TEST_F(CompareSweepTest, AClickOnACellAsksWhyOfItsExperiment) {
    const auto page = show(fakeSweep());
    fill(*page);
    click(page->sweep()->panel()->startButton());
    ASSERT_TRUE(waitForEnd(*page));
    std::optional<values::ExperimentConfig> wanted;
    QObject::connect(page.get(), &ComparePage::whyWanted,
                     [&](const values::ExperimentConfig& config) { wanted = config; });
    SweepGrid* grid = page->sweep()->grid();
    QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, grid->visualRect(grid->model()->index(1, 2)).center());
    ASSERT_TRUE(wanted);
    EXPECT_EQ(wanted->policy, Policy::MixedFloat16);
    EXPECT_EQ(wanted->batchSize, 8);
    EXPECT_EQ(wanted->imageSize, 32);
}

TEST_F(CompareSweepTest, ViewsShowTheSameSweepAndTheLastIsRemembered) {
    FakeSweepPlan plan = slow();
    plan.oomFrom = 8;
    {
        const auto page = show(fakeSweep(plan));
        fill(*page);
        click(page->sweep()->panel()->startButton());
        ASSERT_TRUE(waitForEnd(*page));
        EXPECT_EQ(look(*page, 1, 1).large, "OOM");
        page->showView(ComparePage::Bars);
        ASSERT_EQ(page->sweep()->bars()->bars().size(), 4U);
        EXPECT_EQ(page->sweep()->bars()->bars()[2].note, "OOM");
        page->showView(ComparePage::Scaling);
        EXPECT_FALSE(page->sweep()->scaling()->chart()->isEmpty());
        EXPECT_FALSE(page->sweep()->picker()->article()->isVisible()) << "it stands beside cells";
    }
    const auto page = show(fakeSweep(plan));
    EXPECT_EQ(page->view(), ComparePage::Scaling);
    ASSERT_TRUE(waitFor([&] { return !page->sweep()->scaling()->chart()->isEmpty(); }));
}

TEST_F(CompareSweepTest, TheArticlesDoubtsStandUnderTheGrid) {
    const auto page = show(fakeSweep());
    fill(*page);
    click(page->sweep()->panel()->startButton());
    ASSERT_TRUE(waitForEnd(*page));
    auto* doubts = page->findChild<QLabel*>("articleDoubts");
    page->sweep()->picker()->article()->setCurrentIndex(1); // V100
    EXPECT_FALSE(doubts->isVisible());
    page->sweep()->picker()->article()->setCurrentIndex(3); // Quadro
    EXPECT_TRUE(doubts->isVisible());
    EXPECT_THAT(doubts->text().toStdString(), HasSubstr("1000 to 1499 ms"));
}

TEST_F(CompareSweepTest, ARealSweepIsHeldGoesOnIsKeptAndWritten) {
    const auto page = show();
    fill(*page);
    const std::string set = makeColouredSet(QDir(folder.path())).toStdString();
    page->sweep()->setHost(
        {.experiment = [&] { return values::ExperimentConfig{.data = set, .imageSize = 32, .threads = 2}; },
         .problems = [] { return std::vector<values::FieldProblem>{}; }});
    SweepPanel* panel = page->sweep()->panel();
    click(panel->startButton());
    click(panel->pauseButton());
    QTest::qWait(100);
    EXPECT_EQ(page->sweep()->session()->state(), State::Paused);
    click(panel->pauseButton());
    ASSERT_TRUE(waitForEnd(*page));
    ASSERT_TRUE(page->sweep()->shown()) << page->sweep()->banner()->message().toStdString();
    const values::Sweep sweep = page->sweep()->shown()->sweep;
    EXPECT_EQ(sweep.status, RunStatus::Finished);
    ASSERT_EQ(sweep.cells.size(), 4U);
    for (const values::SweepCell& cell : sweep.cells) {
        EXPECT_EQ(cell.status, CellStatus::Ok) << cell.message;
        EXPECT_EQ(cell.rounds.size(), 2U);
    }
    EXPECT_EQ(store::SweepStore(context.places.historyFile).sweep(sweep.id)->cells, sweep.cells);

    page->exportShown();
    save(folder.filePath("cells.csv"));
    ASSERT_TRUE(waitFor([&] { return page->sweep()->banner()->message().contains("cells.csv"); }));
    EXPECT_EQ(content("cells.csv"), store::cellsCsv(sweep));
    click(page->findChild<QPushButton*>("exportSweep"));
    save(folder.filePath("cells.json"));
    ASSERT_TRUE(waitFor([&] { return page->sweep()->banner()->message().contains("cells.json"); }));
    EXPECT_THAT(content("cells.json"), HasSubstr("\"speedup_word\": \"baseline\""));
}

TEST_F(CompareSweepTest, ASweepIsWrittenAsWhateverItsNameSays) {
    const auto page = show(fakeSweep(slow()));
    fill(*page);
    click(page->sweep()->panel()->startButton());
    ASSERT_TRUE(waitForEnd(*page));
    const std::pair<const char*, const char*> kinds[]{
        {"s.md", "| float32 |"}, {"s.tex", "\\begin{tabular}"}, {"s.html", "<svg"}};
    for (const auto& [name, holds] : kinds) {
        page->exportShown();
        save(folder.filePath(name));
        ASSERT_TRUE(waitFor([&] { return page->sweep()->banner()->message().contains(name); }));
        EXPECT_THAT(content(name), HasSubstr(holds)) << name;
    }
}

TEST_F(CompareSweepTest, TroubleWithAFileIsASentenceOnThePage) {
    const auto page = show(fakeSweep(slow()));
    fill(*page);
    click(page->sweep()->panel()->startButton());
    ASSERT_TRUE(waitForEnd(*page));
    page->exportShown();
    save("/nowhere/cells.csv");
    ASSERT_TRUE(waitFor([&] { return page->sweep()->banner()->message().contains("/nowhere/cells.csv"); }));
}

TEST_F(CompareSweepTest, OneOfTheHistoryIsShownWhenItIsAskedFor) {
    for (int i = 0; i < 2; ++i) {
        const auto page = show(fakeSweep(slow()));
        fill(*page);
        click(page->sweep()->panel()->startButton());
        ASSERT_TRUE(waitForEnd(*page));
    }
    const auto page = show(fakeSweep(slow()));
    page->showView(ComparePage::Runs);
    page->showSweep(1);
    EXPECT_EQ(page->view(), ComparePage::Grid);
    ASSERT_TRUE(waitFor([&] { return page->sweep()->shown() != nullptr; }));
    EXPECT_EQ(page->sweep()->shown()->sweep.id, 1);
    ASSERT_TRUE(waitFor([&] { return page->sweep()->picker()->chosen() == 1; }));
    page->showSweep(2);
    ASSERT_TRUE(waitFor([&] { return page->sweep()->shown() && page->sweep()->shown()->sweep.id == 2; }));
}

TEST_F(CompareSweepTest, ARealCellThatDoesNotFitEndsNothing) {
    const auto page = show();
    page->sweep()->panel()->form()->setConfig({.base = {.memoryLimitBytes = 40'000'000},
                                               .policies = {Policy::Float32},
                                               .batchSizes = {4, 512},
                                               .steps = 1,
                                               .warmup = 0,
                                               .repeats = 1,
                                               .input = values::SweepInput::Synthetic});
    page->sweep()->refreshPlan();
    click(page->sweep()->panel()->startButton());
    ASSERT_TRUE(waitForEnd(*page));
    EXPECT_TRUE(look(*page, 0, 1).sort);
    EXPECT_EQ(look(*page, 1, 1).large, "OOM");
    EXPECT_THAT(look(*page, 1, 1).small.toStdString(), HasSubstr("40 MB free"));
}

} // namespace
