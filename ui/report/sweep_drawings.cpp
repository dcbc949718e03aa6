#include "ui/report/sweep_drawings.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/format/format.h"
#include "ui/report/drawn_panel.h"
#include <algorithm>
#include <map>

namespace halfstep::ui {
namespace {
using analysis::CellFigures;
using values::CellKey;

constexpr double kMebi = 1024 * 1024;

/// "", or " cpu avx2" where the sweep has several.
QString placeOf(const values::Sweep& sweep, const CellKey& key) {
    const bool several = sweep.config.devices.size() > 1 || sweep.config.isas.size() > 1;
    return several ? QStringLiteral(" %1 %2").arg(QString::fromStdString(key.device), QString::fromStdString(key.isa))
                   : QString();
}

report::Drawing bars(const values::Sweep& sweep, const report::SweepFigures& figures, const QString& id) {
    std::vector<Bar> list;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const CellKey& key = sweep.cells[i].key;
        if (figures[i].median) {
            Bar bar{.group = QStringLiteral("batch %1%2").arg(key.batchSize).arg(placeOf(sweep, key)),
                    .series = policyName(key.policy),
                    .colour = colourOf(key.policy),
                    .value = *figures[i].median};
            if (figures[i].interval) {
                bar.low = figures[i].interval->low;
                bar.high = figures[i].interval->high;
            }
            list.push_back(bar);
        }
    }
    BarChart chart(QStringLiteral("Time of a step with 95 % intervals"), {}, QStringLiteral("ms / step"),
                   QStringLiteral("ms"), nullptr);
    chart.setBars(list);
    return drawnPanel(chart, id);
}

/// A curve for each policy and place over the batch size; `figure` gives a cell's value, or nothing.
template <typename Figure>
report::Drawing curves(const values::Sweep& sweep, const report::SweepFigures& figures, const QString& title,
                       const QString& unit, const QString& id, Figure figure) {
    std::vector<CurveLook> looks;
    std::vector<std::vector<QPointF>> points;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const CellKey& key = sweep.cells[i].key;
        const QString name = policyName(key.policy) + placeOf(sweep, key);
        const std::optional<double> value = figure(figures[i]);
        if (!value) {
            continue;
        }
        auto look = std::ranges::find(looks, name, &CurveLook::name);
        if (look == looks.end()) {
            looks.push_back({.name = name,
                             .column = name,
                             .colour = colourOf(key.policy),
                             .style = CurveStyle::BoldWithPoints,
                             .marker = markerOf(key.policy)});
            points.emplace_back();
            look = looks.end() - 1;
        }
        points[static_cast<std::size_t>(look - looks.begin())].emplace_back(key.batchSize, *value);
    }
    CurveChart chart(title, {.title = QStringLiteral("batch size"), .column = {}, .minimum = 0, .integers = true},
                     {.title = unit, .column = {}, .minimum = 0}, nullptr);
    chart.setCurves(looks);
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::ranges::sort(points[i], {}, &QPointF::x);
        chart.setPoints(i, points[i]);
    }
    return drawnPanel(chart, id);
}

} // namespace

std::vector<report::Drawing> sweepDrawings(const values::Sweep& sweep, const report::SweepFigures& figures,
                                           std::size_t index) {
    if (std::ranges::none_of(figures, [](const CellFigures& cell) { return cell.median.has_value(); })) {
        return {};
    }
    const QString id = QStringLiteral("s%1-").arg(index);
    return {bars(sweep, figures, id + QLatin1Char('b')),
            curves(sweep, figures, QStringLiteral("Time of a step"), QStringLiteral("ms / step"),
                   id + QLatin1Char('t'), [](const CellFigures& cell) { return cell.median; }),
            curves(sweep, figures, QStringLiteral("Images per second"), QStringLiteral("images / s"),
                   id + QLatin1Char('i'), [](const CellFigures& cell) { return cell.imagesPerSecond; }),
            curves(sweep, figures, QStringLiteral("Peak memory"), QStringLiteral("MiB"), id + QLatin1Char('m'),
                   [](const CellFigures& cell) {
                       return cell.peakBytes ? std::optional(static_cast<double>(*cell.peakBytes) / kMebi)
                                             : std::nullopt;
                   })};
}

} // namespace halfstep::ui
