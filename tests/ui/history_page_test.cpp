#include "engine/store/run_export.h"
#include "engine/store/sweep_export.h"
#include "engine/store/sweep_store.h"
#include "tests/ui/made_run.h"
#include "ui/bridge/kept_checkpoints.h"
#include "ui/format/format.h"
#include "ui/models/table_text.h"
#include "ui/pages/history_page.h"
#include "ui/pages/history_table.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace halfstep::ui {
namespace {

using precision::Policy;
using testing::ElementsAre;
using testing::IsEmpty;
using values::RunStatus;
namespace fs = std::filesystem;

class HistoryPageTest : public testing::Test {
protected:
    HistoryPageTest() : history(file("runs.sqlite")), sweeps(file("runs.sqlite")) {
        context.places.historyFile = file("runs.sqlite");
    }
    fs::path file(const char* name) const { return folder.filePath(name).toStdString(); }

    std::int64_t enterSweep(RunStatus status) {
        values::Sweep sweep;
        sweep.config.batchSizes = {8, 16};
        sweep.dataName = "drawn sample";
        sweep.startedAt = "2026-12-01T12:00:00Z";
        for (const values::CellKey& key : values::cellsOf(sweep.config)) {
            sweep.cells.push_back({.key = key});
        }
        const std::int64_t id = sweeps.begin(sweep);
        sweeps.addRound(id, 0,
                        {.round = 1, .position = 1, .stepMilliseconds = {10, 11, 12}, .waitMilliseconds = {0, 0, 0}});
        values::SweepCell oom = sweep.cells[1];
        oom.status = values::CellStatus::Oom;
        sweeps.setCell(id, 1, oom);
        if (status != RunStatus::Running) {
            sweeps.finish(id, status, {});
        }
        return id;
    }
    std::unique_ptr<HistoryPage> shownPage(int rows) {
        auto page = std::make_unique<HistoryPage>(context);
        page->resize(984, 704);
        page->show();
        EXPECT_TRUE(QTest::qWaitFor([&] { return page->entries().rowCount() == rows; }));
        return page;
    }
    static QStringList titles(HistoryPage& page) {
        QStringList titles;
        for (int row = 0; row < page.table()->model()->rowCount(); ++row) {
            titles << page.table()->model()->index(row, 0).data().toString();
        }
        titles.sort();
        return titles;
    }
    static void select(HistoryPage& page, const QString& title) {
        page.table()->clearSelection();
        for (int row = 0; row < page.table()->model()->rowCount(); ++row) {
            if (page.table()->model()->index(row, 0).data() == title) {
                page.table()->selectRow(row);
            }
        }
        ASSERT_EQ(page.table()->selectedEntries().size(), 1U) << title.toStdString();
    }
    static QPushButton* button(const HistoryPage& page, const char* name) {
        return page.findChild<QPushButton*>(QLatin1String(name));
    }
    static std::string contentOf(const fs::path& file) {
        std::ostringstream content;
        content << std::ifstream(file).rdbuf();
        return content.str();
    }

    QTemporaryDir folder;
    store::RunStore history;
    store::SweepStore sweeps;
    AppContext context;
};

TEST_F(HistoryPageTest, ListsRunsAndSweepsWithWhatBecameOfThem) {
    enter(history, {.policy = Policy::MixedFloat16, .batchSize = 64, .median = 250});
    enterSweep(RunStatus::Stopped);
    const auto page = shownPage(2);
    EXPECT_EQ(titles(*page), QStringList({"Run 1", "Sweep 1"}));
    select(*page, "Run 1");
    const HistoryEntry run = page->table()->selectedEntries().front();
    EXPECT_EQ(run.what, "mixed_float16 · batch 64 · 256 px");
    EXPECT_EQ(run.result, percent(0.75) + " · 250 ms");
    select(*page, "Sweep 1");
    const HistoryEntry sweep = page->table()->selectedEntries().front();
    EXPECT_EQ(sweep.what, "3 policies × 2 batch sizes · 256 px");
    EXPECT_EQ(sweep.result, "1 cell measured, 1 OOM");
    EXPECT_EQ(sweep.status, RunStatus::Stopped);
}

TEST_F(HistoryPageTest, TheSearchReadsEveryColumn) {
    enter(history, {.policy = Policy::MixedFloat16, .name = "first try"});
    enter(history, {.policy = Policy::Float32});
    enterSweep(RunStatus::Finished);
    const auto page = shownPage(3);
    auto* search = page->findChild<QLineEdit*>("historySearch");
    QTest::keyClicks(search, "MIXED_f");
    EXPECT_EQ(titles(*page), QStringList("Run 1"));
    search->setText("first try");
    EXPECT_EQ(titles(*page), QStringList("Run 1"));
    search->setText("policies");
    EXPECT_EQ(titles(*page), QStringList("Sweep 1"));
}

TEST_F(HistoryPageTest, ReturnAndTheButtonsAskForTheSelectedEntry) {
    enter(history, {});
    enter(history, {.status = RunStatus::Stopped, .checkpoint = "/some/folder"});
    enterSweep(RunStatus::Stopped);
    const auto page = shownPage(3);
    QSignalSpy openRun(page.get(), &HistoryPage::openRunWanted), openSweep(page.get(), &HistoryPage::openSweepWanted);
    QSignalSpy compare(page.get(), &HistoryPage::compareWanted), resume(page.get(), &HistoryPage::resumeRunWanted);
    QSignalSpy resumeSweep(page.get(), &HistoryPage::resumeSweepWanted);
    select(*page, "Run 1");
    QTest::keyClick(page->table(), Qt::Key_Return);
    ASSERT_EQ(openRun.size(), 1);
    EXPECT_EQ(openRun[0][0].value<std::int64_t>(), 1);
    button(*page, "historyCompare")->click();
    ASSERT_EQ(compare.size(), 1);
    EXPECT_THAT(compare[0][0].value<std::vector<std::int64_t>>(), ElementsAre(1));
    EXPECT_FALSE(button(*page, "historyResume")->isEnabled());
    EXPECT_TRUE(button(*page, "historyResume")->toolTip().startsWith("It was made without checkpoints"));
    select(*page, "Run 2");
    button(*page, "historyResume")->click();
    ASSERT_EQ(resume.size(), 1);
    EXPECT_EQ(resume[0][0].value<store::StoredRun>().id, 2);
    select(*page, "Sweep 1");
    EXPECT_FALSE(button(*page, "historyCompare")->isEnabled());
    QTest::keyClick(page->table(), Qt::Key_Return);
    EXPECT_EQ(openSweep.size(), 1);
    button(*page, "historyResume")->click();
    EXPECT_EQ(resumeSweep.size(), 1);
}

TEST_F(HistoryPageTest, WhileSomethingRunsNothingElseIsOpenedOrGoneOnWith) {
    enter(history, {.status = RunStatus::Stopped, .checkpoint = "/some/folder"});
    const auto page = shownPage(1);
    select(*page, "Run 1");
    page->setBusy("A run is training.");
    EXPECT_FALSE(button(*page, "historyOpen")->isEnabled());
    EXPECT_FALSE(button(*page, "historyResume")->isEnabled());
    EXPECT_EQ(button(*page, "historyResume")->toolTip(), "A run is training.");
    page->setBusy({});
    EXPECT_TRUE(button(*page, "historyOpen")->isEnabled());
    EXPECT_TRUE(button(*page, "historyResume")->isEnabled());
}

TEST_F(HistoryPageTest, UndoBringsRunsAndSweepsBack) {
    enter(history, {});
    enterSweep(RunStatus::Finished);
    {
        const auto page = shownPage(2);
        page->table()->selectAll();
        QTest::keyClick(page->table(), Qt::Key_Delete);
        EXPECT_EQ(page->entries().rowCount(), 0);
        EXPECT_EQ(page->undoBanner()->message(), "Deleted 2 entries.");
        page->banner()->showMessage(Banner::Kind::Success, "Another message.");
        ASSERT_TRUE(page->undoBanner()->isVisible());
        page->undoBanner()->findChild<QPushButton*>()->click();
        EXPECT_EQ(page->entries().rowCount(), 2);
    }
    EXPECT_EQ(history.runs().size(), 1U);
    EXPECT_EQ(sweeps.sweeps().size(), 1U);
}

TEST_F(HistoryPageTest, WhatIsNotUndoneIsGoneWhenThePageCloses) {
    enter(history, {});
    enter(history, {});
    enterSweep(RunStatus::Finished);
    {
        const auto page = shownPage(3);
        select(*page, "Sweep 1");
        button(*page, "historyDelete")->click();
        EXPECT_EQ(sweeps.sweeps().size(), 1U) << "it can still be undone";
        select(*page, "Run 1");
        button(*page, "historyDelete")->click(); // carries the first one out
    }
    EXPECT_THAT(sweeps.sweeps(), IsEmpty());
    ASSERT_EQ(history.runs().size(), 1U);
    EXPECT_EQ(history.runs().front().id, 2);
}

TEST_F(HistoryPageTest, WhatGoesOnIsNotDeleted) {
    enter(history, {.status = RunStatus::Running});
    enterSweep(RunStatus::Running);
    const auto page = shownPage(2);
    for (const char* title : {"Run 1", "Sweep 1"}) {
        select(*page, title);
        button(*page, "historyDelete")->click();
        EXPECT_EQ(page->banner()->message(),
                  QStringLiteral("%1 is still going on: stop it before you delete it.").arg(title));
    }
    EXPECT_EQ(page->entries().rowCount(), 2);
}

TEST_F(HistoryPageTest, CheckpointsOfTheWindowGoWithTheirRunAndOthersStay) {
    const fs::path kept = newCheckpointFolder(context.places.historyFile, Policy::Float32);
    const fs::path chosen = file("chosen");
    for (const fs::path& each : {kept, chosen}) {
        fs::create_directories(each / "step-000010");
    }
    enter(history, {.checkpoint = kept.string()});
    enter(history, {.checkpoint = chosen.string()});
    {
        const auto page = shownPage(2);
        page->table()->selectAll();
        button(*page, "historyDelete")->click();
    }
    EXPECT_FALSE(fs::exists(kept));
    EXPECT_TRUE(fs::exists(chosen / "step-000010"));
    EXPECT_NE(newCheckpointFolder(context.places.historyFile, Policy::Float32),
              newCheckpointFolder(context.places.historyFile, Policy::MixedFloat16));
}

TEST_F(HistoryPageTest, ExportsWhatTheCommandLineExports) {
    const MadeRun made{.median = 100};
    enter(history, made);
    const std::int64_t sweep = enterSweep(RunStatus::Finished);
    const auto page = shownPage(2);
    const auto exported = [&](const char* title, const char* name) {
        select(*page, title);
        page->exportTo(page->selectedKeys(), QString::fromStdString(file(name).string()));
        EXPECT_TRUE(QTest::qWaitFor([&] { return page->banner()->message().contains(QLatin1String(name)); }));
        return contentOf(file(name));
    };
    std::ostringstream steps;
    store::writeStepsCsv(steps, 1, stepsOf(made));
    EXPECT_EQ(exported("Run 1", "steps.csv"), steps.str());
    EXPECT_EQ(nlohmann::json::parse(exported("Run 1", "run.json"))["steps_log"].size(), stepsOf(made).size());
    EXPECT_NE(exported("Run 1", "run.md").find("| float32"), std::string::npos);
    EXPECT_NE(exported("Sweep 1", "sweep.tex").find("\\begin{tabular}"), std::string::npos);
    EXPECT_EQ(exported("Sweep 1", "cells.csv"), store::cellsCsv(*sweeps.sweep(sweep)));
    EXPECT_EQ(nlohmann::json::parse(exported("Sweep 1", "sweep.json"))["cells"].size(), 6U);
}

TEST_F(HistoryPageTest, SeveralEntriesBecomeOneReportWithCharts) {
    enter(history, {});
    enter(history, {.policy = Policy::MixedFloat16});
    enterSweep(RunStatus::Finished);
    const auto page = shownPage(3);
    page->table()->selectAll();
    EXPECT_TRUE(button(*page, "historyExport")->isEnabled());
    page->exportTo(page->selectedKeys(), folder.filePath("report.html"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->banner()->message().contains("report.html"); }, 60'000));
    const std::string html = contentOf(file("report.html"));
    for (const char* part : {"Sweep 1", "Run 1", "Run 2", "<svg", "halfstep train", "halfstep sweep"}) {
        EXPECT_NE(html.find(part), std::string::npos) << part;
    }
}

TEST_F(HistoryPageTest, AFileThatCannotBeWrittenIsASentence) {
    enter(history, {});
    const auto page = shownPage(1);
    select(*page, "Run 1");
    page->exportTo(page->selectedKeys(), folder.filePath("missing/steps.csv"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->banner()->message().isEmpty(); }));
    EXPECT_TRUE(page->banner()->message().contains("missing/steps.csv")) << page->banner()->message().toStdString();
}

TEST_F(HistoryPageTest, AnEmptyHistorySaysWhatToDoOnceItHasBeenRead) {
    HistoryPage page(context);
    QSignalSpy wanted(&page, &Page::experimentWanted);
    page.show();
    auto* empty = page.findChild<EmptyState*>();
    EXPECT_FALSE(empty->isVisible()) << "it may hold something";
    ASSERT_TRUE(QTest::qWaitFor([&] { return empty->isVisible(); }));
    empty->button()->click();
    EXPECT_EQ(wanted.size(), 1);
}

TEST_F(HistoryPageTest, CopiesDatesAndDurationsThatProgramsCanRead) {
    enterSweep(RunStatus::Finished);
    const auto page = shownPage(1);
    const QString row = shownTableText(*page->table()).split('\n').at(1);
    EXPECT_TRUE(row.contains(QString::fromStdString(sweeps.sweeps().front().startedAt))) << row.toStdString();
}

} // namespace
} // namespace halfstep::ui
