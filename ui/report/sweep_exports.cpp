#include "ui/report/sweep_exports.h"
#include "engine/report/html_report.h"
#include "engine/report/sweep_tables.h"
#include "engine/store/sweep_export.h"
#include "engine/values/json.h"
#include "ui/report/report_charts.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace halfstep::ui {
namespace {

QString say(const char* text) {
    return QCoreApplication::translate("SweepExports", text);
}

std::string jsonOf(const values::Sweep& sweep) {
    return values::jsonText(store::sweepJson(sweep)) + "\n";
}

std::string reportOf(const values::Sweep& sweep) {
    return report::htmlReport({.sweeps = {sweep}, .runs = {}}, reportCharts());
}

} // namespace

const std::vector<SweepExport>& sweepExports() {
    static const std::vector<SweepExport> all{
        {say("Cells, CSV (*.csv)"), QStringLiteral("csv"), store::cellsCsv},
        {say("Cells with every round, JSON (*.json)"), QStringLiteral("json"), jsonOf},
        {say("Tables, Markdown (*.md)"), QStringLiteral("md"), report::sweepMarkdown},
        {say("Tables, LaTeX (*.tex)"), QStringLiteral("tex"), report::sweepLatex},
        {say("Report with charts, HTML (*.html)"), QStringLiteral("html"), reportOf, true}};
    return all;
}

const SweepExport& sweepExportFor(const QString& file) {
    const std::vector<SweepExport>& all = sweepExports();
    const auto found = std::ranges::find(all, QFileInfo(file).suffix().toLower(), &SweepExport::suffix);
    return found == all.end() ? all.front() : *found;
}

} // namespace halfstep::ui
