#include "tests/ui/fake_profile.h"
#include "ui/charts/roofline_chart.h"
#include "ui/charts/step_bar_chart.h"
#include "ui/models/profile_table_model.h"
#include "ui/pages/why_page.h"
#include "ui/pages/why_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include <QApplication>
#include <QChart>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;
using halfstep::tests::fakeProfile;
using precision::Policy;

namespace {

values::ExperimentConfig configOf(Policy policy) {
    values::ExperimentConfig config;
    config.policy = policy;
    return config;
}

std::unique_ptr<WhyPage> shownPage(const ProfileSession::ProfileFunction& profile = fakeProfile()) {
    auto page = std::make_unique<WhyPage>(AppContext{}, nullptr, profile);
    page->setTheme(themeFor(ThemeKind::Light));
    page->resize(976, 720);
    page->show();
    return page;
}

bool waitFor(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, 20'000);
}

std::unique_ptr<WhyPage> profiledPage(Policy policy = Policy::MixedFloat16) {
    auto page = shownPage();
    page->profile(configOf(policy));
    EXPECT_TRUE(waitFor([&] { return page->view()->isVisible(); }));
    return page;
}

TEST(WhyPage, SaysWhatToDoWhileThereIsNoProfile) {
    const auto page = shownPage();
    EXPECT_TRUE(page->empty()->isVisible());
    EXPECT_FALSE(page->button()->isVisible()) << "one button is enough";
    const QSignalSpy wanted(page.get(), &WhyPage::profileWanted);
    page->empty()->button()->click();
    EXPECT_EQ(wanted.size(), 1);
    page->exportShown();
    EXPECT_TRUE(page->banner()->message().contains("profile the experiment first"));
}

TEST(WhyPage, ShowsSentencesBarTableAndRoofline) {
    const auto page = profiledPage();
    EXPECT_TRUE(page->view()->sentences().contains("arithmetic in float32"));
    EXPECT_TRUE(page->view()->sentences().contains("mixed_float16 takes 12.0 ms a step, float32 16.0 ms: 1.33x"));
    EXPECT_TRUE(page->caption().contains("mixed_float16")) << page->caption().toStdString();
    EXPECT_TRUE(page->caption().contains("2 threads"));
    EXPECT_EQ(page->view()->table()->model()->rowCount(), 5);
    EXPECT_FALSE(page->view()->bar()->isEmpty());
    EXPECT_FALSE(page->view()->roofline()->isEmpty());
    EXPECT_FALSE(page->view()->table()->isColumnHidden(ProfileTableModel::Gained));
}

TEST(WhyPage, APolicyIsNotHeldAgainstItself) {
    const auto page = profiledPage(Policy::Float32);
    EXPECT_FALSE(page->view()->sentences().contains("faster."));
    EXPECT_TRUE(page->view()->sentences().contains("at most"));
    EXPECT_TRUE(page->view()->table()->isColumnHidden(ProfileTableModel::Baseline));
    EXPECT_TRUE(page->view()->table()->isColumnHidden(ProfileTableModel::Gained));
}

TEST(WhyPage, WhileARunTrainsItSaysWhyNot) {
    const auto page = shownPage();
    page->setTraining(true);
    EXPECT_FALSE(page->empty()->button()->isEnabled());
    page->profile(configOf(Policy::Float32));
    EXPECT_FALSE(page->session()->active());
    EXPECT_TRUE(page->banner()->message().contains("A run is training"));
    page->setTraining(false);
    EXPECT_TRUE(page->empty()->button()->isEnabled());
}

TEST(WhyPage, AProfileGivesWayToARunAndSaysSo) {
    const auto page = shownPage(fakeProfile({.endless = true}));
    page->profile(configOf(Policy::Float32));
    ASSERT_TRUE(waitFor([&] { return page->caption().contains("Profiling"); }));
    page->setTraining(true);
    ASSERT_TRUE(waitFor([&] { return !page->session()->active(); }));
    EXPECT_TRUE(page->banner()->message().contains("a run was started"));
}

TEST(WhyPage, TheButtonStopsAProfile) {
    const auto page = shownPage(fakeProfile({.endless = true}));
    page->profile(configOf(Policy::Float32));
    EXPECT_TRUE(page->button()->isVisible());
    EXPECT_FALSE(page->empty()->button()->isEnabled());
    QTest::mouseClick(page->button(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !page->session()->active(); }));
    EXPECT_TRUE(page->banner()->message().contains("stopped"));
    EXPECT_TRUE(page->empty()->isVisible());
}

TEST(WhyPage, WhatWentWrongIsSaidAndWhatShowedStays) {
    const auto page = shownPage(fakeProfile({.thrown = std::make_exception_ptr(OutOfMemoryError("Too much."))}));
    page->profile(configOf(Policy::Float32));
    ASSERT_TRUE(waitFor([&] { return !page->session()->active(); }));
    EXPECT_EQ(page->banner()->message(), "Too much.");
    EXPECT_TRUE(page->empty()->button()->isEnabled());
}

TEST(WhyPage, APartThatIsChosenInTheTableIsMarkedEverywhere) {
    const auto page = profiledPage();
    page->view()->table()->selectRow(2);
    EXPECT_EQ(page->view()->roofline()->readPart(), 2U);
    // And back: the arrow keys go from dot to dot, which "wait" and "other" lack.
    page->activateWindow();
    QTest::keyClick(page->view()->roofline()->findChild<QAbstractScrollArea*>(), Qt::Key_Right);
    EXPECT_EQ(page->view()->table()->currentIndex().row(), 3);
    QTest::keyClick(page->view()->roofline()->findChild<QAbstractScrollArea*>(), Qt::Key_Right);
    EXPECT_EQ(page->view()->table()->currentIndex().row(), 3) << "the last dot";
}

TEST(WhyPage, TheTableIsCopiedInFullPrecision) {
    const auto page = profiledPage();
    page->findChild<QPushButton*>(QStringLiteral("whyCopy"))->click();
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    EXPECT_EQ(lines[0], "layer\toperation\tmedian_ms\tbaseline_ms\tgained_ms\tshare\tgflops\tgbps\tshare_of_roof\t"
                        "bound\talgorithm");
    ASSERT_GE(lines.size(), 6);
    EXPECT_TRUE(lines[2].startsWith("conv2d\tbackward_weights\t8\t12\t4\t")) << lines[2].toStdString();
    EXPECT_TRUE(lines[2].contains("\t50\t2.5\t0.5\tarithmetic\tFFT")) << lines[2].toStdString();
    EXPECT_EQ(page->view()->table()->model()->index(1, ProfileTableModel::Gained).data(), "+4.00");
}

TEST(WhyPage, ChartsAreExportedWithTheirNumbers) {
    const QTemporaryDir folder;
    const auto page = profiledPage();
    EXPECT_EQ(page->view()->roofline()->csv().count('\n'), 1 + 3);
    EXPECT_EQ(page->view()->bar()->csv().count('\n'), 1 + 2 * 5);
    EXPECT_TRUE(page->view()->roofline()->csv().contains("conv2d,backward_weights,20,50,100,8,arithmetic"));
    const ChartPanel* charts[]{page->view()->bar(), page->view()->roofline()};
    for (const ChartPanel* chart : charts) {
        for (const char* ending : {"png", "svg", "pdf"}) {
            const QString file = folder.filePath(QStringLiteral("chart.") + ending);
            EXPECT_EQ(exportChart(*chart, file), "");
            EXPECT_GT(QFile(file).size(), 1000);
        }
    }
}

TEST(RooflineChart, AMachineWithoutCountsIsDrawnToo) {
    RooflineChart chart(QStringLiteral("Roofline"), nullptr);
    values::StepProfile profile = tests::fakeStepProfile(Policy::Float32);
    profile.parts.resize(1); // waits only
    chart.setProfile(profile);
    EXPECT_FALSE(chart.isEmpty());
    EXPECT_EQ(chart.csv().count('\n'), 1);
    chart.readPart(0);
    chart.setProfile(std::nullopt);
    EXPECT_TRUE(chart.isEmpty());
    EXPECT_FALSE(chart.readPart());
}

} // namespace
