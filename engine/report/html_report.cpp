#include "engine/report/html_report.h"
#include "engine/report/accuracy_table.h"
#include "engine/report/command.h"
#include "engine/report/html_page.h"
#include "engine/report/sweep_sentences.h"
#include <fmt/format.h>

namespace halfstep::report {
namespace {

std::string idOf(const values::Sweep& sweep) {
    return fmt::format("sweep-{}", sweep.id);
}

std::string idOf(const RunRecord& run) {
    return fmt::format("run-{}", run.run.id);
}

std::string pageTitleOf(const ReportContent& content) {
    if (content.sweeps.size() == 1 && content.runs.empty()) {
        return titleOf(content.sweeps.front());
    }
    if (content.runs.size() == 1 && content.sweeps.empty()) {
        return titleOf(content.runs.front());
    }
    const auto counted = [](std::size_t count, const char* what) {
        return count == 0 ? std::string() : fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    const std::string sweeps = counted(content.sweeps.size(), "sweep");
    const std::string runs = counted(content.runs.size(), "run");
    return fmt::format("{}{}{}", sweeps, sweeps.empty() || runs.empty() ? "" : " and ", runs);
}

void addContents(HtmlPage& page, const ReportContent& content) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const values::Sweep& sweep : content.sweeps) {
        entries.emplace_back(idOf(sweep), titleOf(sweep));
    }
    for (const RunRecord& run : content.runs) {
        entries.emplace_back(idOf(run), titleOf(run));
    }
    if (entries.size() > 1) {
        page.contents(entries);
    }
}

void addSweep(HtmlPage& page, const values::Sweep& sweep, const ChartDrawers& drawers, std::size_t index) {
    const SweepFigures figures = analysis::figuresOf(sweep);
    page.heading(2, titleOf(sweep), idOf(sweep));
    page.paragraph(fmt::format("{} cells, {} of {} rounds, {}; {}.", sweep.cells.size(), values::roundsDone(sweep),
                               sweep.config.repeats, sweep.dataName, nameOf(sweep.status)));
    if (!sweep.message.empty()) {
        page.paragraph(sweep.message);
    }
    page.list(sweepSentences(sweep, figures));
    for (const Table& grid : gridTables(sweep, figures)) {
        page.table(grid);
    }
    if (drawers.ofSweep) {
        page.drawings(drawers.ofSweep(sweep, figures, index));
    }
    page.table(cellsTable(sweep, figures));
    page.heading(3, "Command");
    page.command(shellCommand(sweepArguments(sweep.config)));
    page.heading(3, "Environment");
    Table environment = environmentTable(sweep);
    environment.title.clear(); // the heading says it
    page.table(environment);
}

void addRun(HtmlPage& page, const RunRecord& run, const ChartDrawers& drawers, std::size_t index) {
    page.heading(2, titleOf(run), idOf(run));
    page.list(warningsOf(run));
    page.table(figuresTable(run));
    if (drawers.ofRun) {
        page.drawings(drawers.ofRun(run, index));
    }
    page.table(epochsTable(run));
    page.heading(3, "Command");
    page.command(shellCommand(trainArguments(run.run.config)));
    page.heading(3, "Settings and environment");
    page.table(settingsTable(run));
    page.table(environmentTable(run));
}

void addComparison(HtmlPage& page, const std::vector<RunRecord>& runs, const ChartDrawers& drawers) {
    page.heading(2, "Runs side by side");
    Table table = runsTable(runs);
    table.title.clear();
    page.table(table);
    if (drawers.ofRuns) {
        page.drawings(drawers.ofRuns(runs));
    }
    for (const Table& accuracies : accuracyTables(runs)) {
        page.table(accuracies);
    }
}

} // namespace

std::string htmlReport(const ReportContent& content, const ChartDrawers& drawers) {
    HtmlPage page("Halfstep: " + pageTitleOf(content));
    page.heading(1, "Halfstep report");
    page.paragraph("Measured and written by Halfstep. Times are medians of a training step with 95 % intervals; all "
                   "numbers are in the files that `halfstep runs export` writes.");
    if (!drawers.ofSweep && !drawers.ofRun) {
        page.paragraph("The charts are left out: this program was built without the window, which draws them.");
    }
    addContents(page, content);
    for (std::size_t i = 0; i < content.sweeps.size(); ++i) {
        addSweep(page, content.sweeps[i], drawers, i);
    }
    if (content.runs.size() > 1) {
        addComparison(page, content.runs, drawers);
    }
    for (std::size_t i = 0; i < content.runs.size(); ++i) {
        addRun(page, content.runs[i], drawers, i);
    }
    return page.take();
}

} // namespace halfstep::report
