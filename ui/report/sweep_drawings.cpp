#include "ui/report/sweep_drawings.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/report/drawn_panel.h"
#include "ui/report/sweep_charts.h"
#include <algorithm>

namespace halfstep::ui {
namespace {

report::Drawing bars(const MeasuredSweep& measured, const QString& id) {
    BarChart chart(QStringLiteral("Time of a step with 95 % intervals"), {}, QStringLiteral("ms / step"),
                   QStringLiteral("median_ms"), nullptr);
    chart.setBars(sweepBars(measured));
    return drawnPanel(chart, id);
}

report::Drawing curves(const MeasuredSweep& measured, ScalingView view, const QString& id) {
    const ScalingCurves drawn = scalingCurves(measured, view);
    CurveChart chart(drawn.title,
                     {.title = QStringLiteral("batch size"), .column = {}, .minimum = 0, .integers = true}, drawn.y,
                     nullptr);
    chart.setCurves(drawn.looks);
    for (std::size_t i = 0; i < drawn.points.size(); ++i) {
        chart.setPoints(i, drawn.points[i]);
    }
    return drawnPanel(chart, id);
}

} // namespace

std::vector<report::Drawing> sweepDrawings(const values::Sweep& sweep, const report::SweepFigures& figures,
                                           std::size_t index) {
    const auto isTimed = [](const analysis::CellFigures& cell) { return cell.median.has_value(); };
    if (std::ranges::none_of(figures, isTimed)) {
        return {};
    }
    const MeasuredSweep measured{.sweep = sweep, .figures = figures};
    const QString id = QStringLiteral("s%1-").arg(index);
    std::vector<report::Drawing> drawings{bars(measured, id + QLatin1Char('b'))};
    for (const ScalingView view : {ScalingView::StepTime, ScalingView::ImagesPerSecond, ScalingView::Memory}) {
        drawings.push_back(curves(measured, view, id + QString::number(static_cast<int>(view))));
    }
    return drawings;
}

} // namespace halfstep::ui
