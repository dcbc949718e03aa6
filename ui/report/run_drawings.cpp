#include "ui/report/run_drawings.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/format/format.h"
#include "ui/models/run_comparison.h"
#include "ui/report/drawn_panel.h"
#include <algorithm>

namespace halfstep::ui {
namespace {

std::shared_ptr<const RunRecords> recordsOf(const report::RunRecord& run) {
    return std::make_shared<const RunRecords>(RunRecords{.run = run.run, .steps = run.steps, .epochs = run.epochs});
}

/// The curves of all runs in one chart; the raw ones only where there is one run.
report::Drawing curves(const RunList& runs, CurveMetric metric, const QString& id) {
    const bool isLoss = metric == CurveMetric::Loss;
    std::vector<CurveLook> looks;
    std::vector<std::vector<QPointF>> points;
    const auto add = [&](const CurveLook& look, std::vector<QPointF> of) {
        if (!of.empty()) {
            looks.push_back(look);
            points.push_back(std::move(of));
        }
    };
    for (const auto& run : runs) {
        RunCurves of = runCurves(*run, metric, CurveOver::Step);
        const precision::Policy policy = run->run.config.policy;
        const QString name = runs.size() == 1 ? QStringLiteral("training, smoothed")
                                              : QStringLiteral("%1: %2").arg(run->run.id).arg(policyName(policy));
        CurveLook look{.name = name, .column = name, .colour = colourOf(policy), .style = CurveStyle::Bold};
        if (runs.size() == 1) {
            CurveLook raw = look;
            raw.name = QStringLiteral("every step");
            raw.style = CurveStyle::Thin;
            add(raw, std::move(of.raw));
        }
        add(look, std::move(of.smoothed));
        CurveLook validation = look;
        validation.name = runs.size() == 1 ? QStringLiteral("validation") : name + QStringLiteral(", validation");
        validation.style = CurveStyle::Points;
        validation.marker = markerOf(policy);
        validation.inLegend = runs.size() == 1;
        add(validation, std::move(of.validation));
    }
    AxisLook y{.title = isLoss ? QStringLiteral("loss") : QStringLiteral("accuracy"), .column = {}, .minimum = 0};
    if (!isLoss) {
        y.maximum = 1;
    }
    CurveChart chart(isLoss ? QStringLiteral("Loss") : QStringLiteral("Accuracy"),
                     {.title = QStringLiteral("step"), .column = {}, .minimum = 0, .integers = true}, y, nullptr);
    chart.setCurves(looks);
    for (std::size_t i = 0; i < points.size(); ++i) {
        chart.setPoints(i, points[i]);
    }
    return drawnPanel(chart, id);
}

std::vector<report::Drawing> bars(const RunList& runs) {
    const std::vector<StepTimeCell> cells = stepTimeCells(runs);
    if (cells.empty()) {
        return {};
    }
    std::vector<Bar> list;
    for (const StepTimeCell& cell : cells) {
        list.push_back({.group = cell.conditions,
                        .series = policyName(cell.policy),
                        .colour = colourOf(cell.policy),
                        .value = cell.milliseconds.median,
                        .low = cell.milliseconds.q25,
                        .high = cell.milliseconds.q75});
    }
    BarChart chart(QStringLiteral("Time of a step with quartiles"), {}, QStringLiteral("ms / step"),
                   QStringLiteral("ms"), nullptr);
    chart.setBars(list);
    return {drawnPanel(chart, QStringLiteral("runs-b"))};
}

} // namespace

std::vector<report::Drawing> runDrawings(const report::RunRecord& run, std::size_t index) {
    if (run.steps.empty()) {
        return {};
    }
    const RunList runs{recordsOf(run)};
    const QString id = QStringLiteral("r%1-").arg(index);
    return {curves(runs, CurveMetric::Loss, id + QLatin1Char('l')),
            curves(runs, CurveMetric::Accuracy, id + QLatin1Char('a'))};
}

std::vector<report::Drawing> comparisonDrawings(const std::vector<report::RunRecord>& records) {
    RunList runs;
    for (const report::RunRecord& record : records) {
        if (!record.steps.empty()) {
            runs.push_back(recordsOf(record));
        }
    }
    if (runs.empty()) {
        return {};
    }
    std::vector<report::Drawing> drawings{curves(runs, CurveMetric::Loss, QStringLiteral("runs-l")),
                                          curves(runs, CurveMetric::Accuracy, QStringLiteral("runs-a"))};
    std::ranges::move(bars(runs), std::back_inserter(drawings));
    return drawings;
}

} // namespace halfstep::ui
