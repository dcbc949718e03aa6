#include "engine/store/run_store.h"
#include "tests/ui/fake_numerics.h"
#include "ui/charts/exponent_chart.h"
#include "ui/pages/numerics_detail.h"
#include "ui/pages/numerics_measured.h"
#include "ui/pages/numerics_page.h"
#include "ui/pages/numerics_picker.h"
#include "ui/pages/numerics_roundings.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segmented_switch.h"
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;
using halfstep::tests::fakeNumerics;

namespace {

values::ExperimentConfig mixedFloat16() {
    values::ExperimentConfig config;
    config.policy = precision::Policy::MixedFloat16;
    return config;
}

/// A run of the history with records of these steps.
std::int64_t enter(store::RunStore& history, const std::vector<std::int64_t>& recorded) {
    const std::int64_t run = history.begin(mixedFloat16(), {}, "drawn sample");
    history.record(run, values::StepRecord{.step = 1, .epoch = 1, .batchSize = 32});
    for (const std::int64_t step : recorded) {
        history.record(run, fakeNumerics(step));
    }
    history.finish(run, {.run = run, .steps = 1});
    return run;
}

class NumericsPageTest : public testing::Test {
protected:
    NumericsPageTest() : history(folder.filePath("runs.sqlite").toStdString()) {
        context.places.historyFile = folder.filePath("runs.sqlite").toStdString();
    }
    std::unique_ptr<NumericsPage> shownPage() {
        auto page = std::make_unique<NumericsPage>(context);
        page->setTheme(themeFor(ThemeKind::Light));
        page->resize(976, 720);
        page->show();
        return page;
    }
    static bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, 20'000); }
    static std::int64_t shownStep(const NumericsPage& page) {
        const QString name = page.measured()->detail()->chart()->bars()
                                 ? page.measured()->detail()->chart()->bars()->caption
                                 : QString();
        return name.section("step ", 1).section(',', 0, 0).toLongLong();
    }

    QTemporaryDir folder;
    store::RunStore history;
    AppContext context;
};

TEST_F(NumericsPageTest, SaysWhatToDoWhileThereAreNoNumbers) {
    const auto page = shownPage();
    auto* empty = page->findChild<EmptyState*>();
    EXPECT_TRUE(empty->isVisible());
    const QSignalSpy wanted(page.get(), &Page::experimentWanted);
    empty->button()->click();
    EXPECT_EQ(wanted.size(), 1);
    page->exportShown();
    EXPECT_TRUE(page->banner()->message().contains("start a run"));
}

TEST_F(NumericsPageTest, ShowsTheNewestRecordOfTheNewestRun) {
    enter(history, {1, 11});
    enter(history, {1, 11, 21});
    const auto page = shownPage();
    ASSERT_TRUE(waitFor([&] { return shownStep(*page) == 21; }));
    EXPECT_EQ(page->picker()->run(), 2);
    EXPECT_EQ(page->picker()->runs()->count(), 2);
    EXPECT_EQ(page->measured()->table()->model()->rowCount(), 2) << "gradients first";
    EXPECT_EQ(page->measured()->table()->currentIndex().row(), 1) << "the one with most zeros";
    page->picker()->runs()->setCurrentIndex(1);
    EXPECT_TRUE(waitFor([&] { return shownStep(*page) == 11; }));
}

TEST_F(NumericsPageTest, TheSliderGoesThroughTheRecordedSteps) {
    enter(history, {1, 11, 21});
    const auto page = shownPage();
    ASSERT_TRUE(waitFor([&] { return shownStep(*page) == 21; }));
    QSlider* slider = page->picker()->slider();
    EXPECT_EQ(slider->maximum(), 2);
    slider->setValue(1);
    slider->setValue(0); // before the first answer: the last wish counts
    EXPECT_TRUE(waitFor([&] { return shownStep(*page) == 1; }));
}

TEST_F(NumericsPageTest, TheLossScaleSaysAtOnceWhatTheSharesWouldBe) {
    enter(history, {1});
    const auto page = shownPage();
    ASSERT_TRUE(waitFor([&] { return shownStep(*page) == 1; }));
    NumericsDetail& detail = *page->measured()->detail();
    EXPECT_EQ(detail.scale()->value(), 15);
    EXPECT_TRUE(detail.scale()->isEnabled());
    EXPECT_TRUE(detail.sentence().startsWith(QStringLiteral("At loss scale 2¹⁵, none")));
    EXPECT_EQ(detail.table()->model()->index(0, FormatTableModel::Zero).data().toString().left(2), "10");
    detail.scale()->setValue(0);
    EXPECT_TRUE(detail.sentence().startsWith("Without loss scaling, 40")) << detail.sentence().toStdString();
    EXPECT_EQ(detail.table()->model()->index(0, FormatTableModel::Zero).data().toString().left(2), "50");
    EXPECT_EQ(detail.chart()->bars()->shift, -15);
    EXPECT_EQ(detail.chart()->bars()->count(-27), 40);
}

TEST_F(NumericsPageTest, OnlyGradientsHaveALossScaleToTry) {
    enter(history, {1});
    const auto page = shownPage();
    ASSERT_TRUE(waitFor([&] { return shownStep(*page) == 1; }));
    NumericsDetail& detail = *page->measured()->detail();
    detail.scale()->setValue(3);
    page->measured()->filter()->setCurrent(1);
    emit page->measured()->filter()->chosen(1); // weights
    EXPECT_FALSE(detail.scale()->isEnabled());
    EXPECT_EQ(detail.chart()->bars()->shift, 0);
    EXPECT_TRUE(detail.sentence().contains("weight"));
}

TEST_F(NumericsPageTest, AFormatIsChosenInTheListOrInTheTable) {
    enter(history, {1});
    const auto page = shownPage();
    ASSERT_TRUE(waitFor([&] { return shownStep(*page) == 1; }));
    NumericsDetail& detail = *page->measured()->detail();
    detail.table()->selectRow(3);
    EXPECT_EQ(detail.format()->currentText(), "float8_e4m3");
    EXPECT_EQ(detail.chart()->bars()->format.name, "float8_e4m3");
    detail.format()->setCurrentIndex(1);
    EXPECT_EQ(detail.table()->currentIndex().row(), 1);
    EXPECT_TRUE(detail.sentence().contains("in bfloat16"));
}

TEST_F(NumericsPageTest, ARunThatGoesOnIsFollowedUntilAnotherStepIsChosen) {
    const auto page = shownPage();
    page->begin(mixedFloat16());
    page->apply({values::RunPlan{.run = 7}});
    EXPECT_EQ(page->picker()->run(), 7);
    EXPECT_TRUE(page->measured()->isVisible());
    page->apply({values::StepRecord{.step = 1}, fakeNumerics(1)});
    EXPECT_EQ(shownStep(*page), 1);
    page->measured()->table()->selectRow(0);
    page->apply({fakeNumerics(11), values::StepRecord{.step = 12}});
    EXPECT_EQ(shownStep(*page), 11);
    EXPECT_EQ(page->measured()->table()->currentIndex().row(), 0) << "the tensor stays chosen";
    page->apply({fakeNumerics(21)});
    page->picker()->slider()->setValue(0);
    page->apply({fakeNumerics(31)});
    EXPECT_NE(shownStep(*page), 31);
    EXPECT_EQ(page->picker()->slider()->maximum(), 3);
    EXPECT_EQ(page->picker()->slider()->value(), 0);
}

TEST_F(NumericsPageTest, RecordsAreDrawnOnlyWhileThePageShows) {
    const auto page = shownPage();
    page->begin(mixedFloat16());
    page->apply({values::RunPlan{.run = 7}, fakeNumerics(1)});
    EXPECT_EQ(shownStep(*page), 1);
    page->hide();
    page->apply({fakeNumerics(11)});
    page->apply({fakeNumerics(21)});
    EXPECT_EQ(shownStep(*page), 1);
    page->show();
    EXPECT_EQ(shownStep(*page), 21);
}

TEST_F(NumericsPageTest, ARunWithoutRecordsLeavesTheOneThatShows) {
    enter(history, {1});
    const auto page = shownPage();
    ASSERT_TRUE(waitFor([&] { return shownStep(*page) == 1; }));
    values::ExperimentConfig config = mixedFloat16();
    config.numericsEvery = 0;
    page->begin(config);
    page->apply({values::RunPlan{.run = 9}, values::StepRecord{.step = 1}});
    EXPECT_EQ(page->picker()->run(), 1);
}

TEST_F(NumericsPageTest, TheTableOfRoundingsIsCopiedWhole) {
    const auto page = shownPage();
    page->showView(NumericsPage::Roundings);
    QTableView* table = page->roundings()->table();
    ASSERT_TRUE(table->isVisible());
    EXPECT_FALSE(page->picker()->isVisible());
    page->activateWindow();
    table->setFocus();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page.get()));
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), page->roundings()->copied());
    EXPECT_EQ(page->roundings()->copied().count('\n'), 1 + static_cast<int>(precision::kStepTensors.size()));
    // Every row and every policy shows at the smallest window.
    EXPECT_LE(table->verticalHeader()->length() + table->horizontalHeader()->height(), table->height());
    EXPECT_LE(table->horizontalHeader()->length(), table->width());
}

TEST_F(NumericsPageTest, AllColumnsOfTheTensorsShowInTheSmallestWindow) {
    enter(history, {1});
    const auto page = shownPage();
    ASSERT_TRUE(waitFor([&] { return shownStep(*page) == 1; }));
    const QTableView* table = page->measured()->table();
    EXPECT_LE(table->horizontalHeader()->length(), table->viewport()->width());
}

} // namespace
