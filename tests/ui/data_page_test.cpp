#include "tests/ui/fake_dataset.h"
#include "ui/pages/data_browser.h"
#include "ui/pages/data_detail.h"
#include "ui/pages/data_grid.h"
#include "ui/pages/data_page.h"
#include "ui/pages/data_source_panel.h"
#include <QAbstractButton>
#include <QLabel>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

namespace halfstep::ui {
namespace {

DatasetOpener::OpenFunction giving(std::shared_ptr<const data::Dataset> dataset) {
    return [dataset](const std::string&, const data::OpenOptions&, const data::ProgressSink&, std::stop_token) {
        return dataset;
    };
}

/// Waits until it is stopped, then gives `dataset` all the same, as a reader does that looks too late.
DatasetOpener::OpenFunction lingering(std::shared_ptr<const data::Dataset> dataset, std::string slowSource) {
    return [dataset, slowSource](const std::string& source, const data::OpenOptions&,
                                 const data::ProgressSink& progress, std::stop_token stop) {
        progress({"Decoding", 1, 2});
        while (source == slowSource && !stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return dataset;
    };
}

class DataPageTest : public testing::Test {
protected:
    void show(DataPage& page) {
        page.resize(1000, 700);
        page.setTheme(themeFor(ThemeKind::Light));
        page.show();
    }
    void showFake(DataPage& page) {
        page.setDataSource("fake", FakeDataset::kSide);
        show(page);
        ASSERT_TRUE(QTest::qWaitFor([&] { return page.browser()->isVisible(); }));
    }
    static DataGrid* gridOf(DataPage& page) { return page.findChild<DataGrid*>(); }

    AppContext context;
};

TEST_F(DataPageTest, OpensItsSourceOnlyWhenItIsSeen) {
    int opened = 0;
    DataPage page(context, nullptr,
                  [&](const std::string&, const data::OpenOptions& options, const data::ProgressSink&,
                      std::stop_token) -> std::shared_ptr<const data::Dataset> {
                      ++opened;
                      EXPECT_EQ(options.imageSize, 64);
                      return std::make_shared<FakeDataset>(4);
                  });
    page.setDataSource("one", 32);
    page.setDataSource("two", 64);
    QTest::qWait(20);
    EXPECT_EQ(opened, 0);
    show(page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.browser()->isVisible(); }));
    EXPECT_EQ(opened, 1);
}

TEST_F(DataPageTest, ScrollsThroughTenThousandPhotographsWithoutMakingAllThumbnails) {
    const auto dataset = std::make_shared<FakeDataset>(10'000);
    DataPage page(context, nullptr, giving(dataset));
    showFake(page);
    ASSERT_EQ(page.browser()->photographs().rowCount(), 10'000);
    QScrollBar* bar = gridOf(page)->verticalScrollBar();
    ASSERT_GT(bar->maximum(), 100'000); // pixels
    for (int step = 0; step <= 20; ++step) {
        bar->setValue(bar->maximum() * step / 20);
        QTest::qWait(10);
    }
    const QModelIndex last = gridOf(page)->model()->index(9'999, 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !last.data(Qt::DecorationRole).value<QImage>().isNull(); }));
    EXPECT_LT(dataset->reads().size(), 2'000u);
    EXPECT_FALSE(dataset->readByGui());
}

TEST_F(DataPageTest, OpensADetailByEnterAndComesBackByEscape) {
    const auto dataset = std::make_shared<FakeDataset>(50);
    DataPage page(context, nullptr, giving(dataset));
    showFake(page);
    DataGrid* grid = gridOf(page);
    QTest::keyClick(grid, Qt::Key_Right);
    QTest::keyClick(grid, Qt::Key_Right);
    EXPECT_EQ(grid->currentIndex().row(), 2);
    QTest::keyClick(grid, Qt::Key_Return);
    ASSERT_TRUE(page.detail()->isVisible());
    QTest::keyClick(page.detail(), Qt::Key_Right); // the next photograph
    EXPECT_TRUE(QTest::qWaitFor([&] {
        const auto reads = dataset->reads();
        return std::ranges::find(reads, 3) != reads.end();
    }));
    QTest::keyClick(page.detail(), Qt::Key_Escape);
    EXPECT_TRUE(page.browser()->isVisible());
    EXPECT_EQ(grid->currentIndex().row(), 3);
    EXPECT_FALSE(dataset->readByGui());
}

TEST_F(DataPageTest, ReadsTheExactPixelOfTheTensor) {
    DataPage page(context, nullptr, giving(std::make_shared<FakeDataset>(50)));
    showFake(page);
    QTest::keyClick(gridOf(page), Qt::Key_Return);
    auto* tensor = page.findChild<QWidget*>("dataTensor");
    auto* reading = page.findChild<QLabel*>("dataReading");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !reading->text().isEmpty(); }));
    QTest::keyClick(tensor, Qt::Key_Down); // from the middle: x 7, y 7 of 16
    const int first = (7 * FakeDataset::kSide + 7) * 3;
    EXPECT_TRUE(reading->text().startsWith("x 7, y 7")) << reading->text().toStdString();
    EXPECT_TRUE(reading->text().contains(QStringLiteral("R %1").arg(first % 256, 3)))
        << reading->text().toStdString();
}

TEST_F(DataPageTest, SaysWhatCannotBeUsedAndTriesAgain) {
    int tries = 0;
    DataPage page(context, nullptr,
                  [&](const std::string&, const data::OpenOptions&, const data::ProgressSink&,
                      std::stop_token) -> std::shared_ptr<const data::Dataset> {
                      if (++tries == 1) {
                          throw std::runtime_error("The folder is gone. Choose another.");
                      }
                      return std::make_shared<FakeDataset>(4);
                  });
    page.setDataSource("gone", 64);
    show(page);
    auto* panel = page.findChild<DataSourcePanel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel->isVisible(); }));
    EXPECT_EQ(panel->sentence(), "The folder is gone. Choose another.");
    page.findChild<QAbstractButton*>("dataRetry")->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return page.browser()->isVisible(); }));
}

TEST_F(DataPageTest, OffersTheSampleWhereItHasNothing) {
    DataPage page(context, nullptr, giving(std::make_shared<FakeDataset>(4)));
    show(page);
    QSignalSpy chosen(&page, &Page::dataSourceChosen);
    page.findChild<QAbstractButton*>("dataUseSample")->click();
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "sample");
}

TEST_F(DataPageTest, ShowsTheWarningsOfTheSetAsSentences) {
    const auto dataset = std::make_shared<FakeDataset>(4);
    dataset->info().warnings = {"class dog has no validation pictures"};
    DataPage page(context, nullptr, giving(dataset));
    showFake(page);
    EXPECT_EQ(page.findChild<QLabel*>("dataWarnings")->text(), "Class dog has no validation pictures.");
}

TEST(DatasetOpener, IgnoresWhatAnOlderRequestStillGives) {
    const auto dataset = std::make_shared<FakeDataset>(4);
    DatasetOpener opener({}, nullptr, lingering(dataset, "slow"));
    QSignalSpy opened(&opener, &DatasetOpener::opened);
    opener.open("slow", 64);
    QTest::qWait(10);
    opener.open("fast", 64);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !opener.isBusy(); }));
    QTest::qWait(30);
    EXPECT_EQ(opened.size(), 1);
}

TEST(DatasetOpener, TellsOfACancelOnceAndOfNothingAfterIt) {
    const auto dataset = std::make_shared<FakeDataset>(4);
    DatasetOpener opener({}, nullptr, lingering(dataset, "slow"));
    QSignalSpy opened(&opener, &DatasetOpener::opened);
    QSignalSpy cancelled(&opener, &DatasetOpener::cancelled);
    opener.open("slow", 64);
    QTest::qWait(10);
    opener.cancel();
    opener.cancel();
    QTest::qWait(30);
    EXPECT_EQ(cancelled.size(), 1);
    EXPECT_EQ(opened.size(), 0);
    EXPECT_EQ(opener.dataset(), nullptr);
}

TEST(DatasetOpener, EndsWhileASetIsBeingOpened) {
    std::latch begun(1);
    std::atomic<bool> stopped = false;
    {
        DatasetOpener opener({}, nullptr,
                             [&](const std::string&, const data::OpenOptions&, const data::ProgressSink&,
                                 std::stop_token stop) -> std::shared_ptr<const data::Dataset> {
                                 begun.count_down();
                                 while (!stop.stop_requested()) {
                                     std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                 }
                                 stopped = true;
                                 return nullptr;
                             });
        opener.open("slow", 64);
        begun.wait();
    }
    EXPECT_TRUE(stopped);
}

} // namespace
} // namespace halfstep::ui
