#include "ui/bridge/sweep_exports.h"
#include "engine/report/sweep_tables.h"
#include "engine/store/sweep_export.h"
#include "engine/values/json.h"
#include <QCoreApplication>
#include <nlohmann/json.hpp>

namespace halfstep::ui {

const std::vector<SweepExport>& sweepExports() {
    static const std::vector<SweepExport> all{
        {QCoreApplication::translate("SweepExports", "Cells, CSV (*.csv)"), QStringLiteral("csv"), store::cellsCsv},
        {QCoreApplication::translate("SweepExports", "Cells with every round, JSON (*.json)"), QStringLiteral("json"),
         [](const values::Sweep& sweep) { return values::jsonText(store::sweepJson(sweep)) + "\n"; }},
        {QCoreApplication::translate("SweepExports", "Tables, Markdown (*.md)"), QStringLiteral("md"),
         report::sweepMarkdown},
        {QCoreApplication::translate("SweepExports", "Tables, LaTeX (*.tex)"), QStringLiteral("tex"),
         report::sweepLatex}};
    return all;
}

} // namespace halfstep::ui
