#include "ui/report/sweep_charts.h"
#include "ui/format/format.h"
#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <utility>

namespace halfstep::ui {
namespace {

using values::CellStatus;
using values::SweepCell;

constexpr double kMega = 1e6;

QString say(const char* text) {
    return QCoreApplication::translate("SweepCharts", text);
}

/// "", or " · cpu · avx2" with what the sweep has several of.
QString placeOf(const values::CellKey& key, const values::SweepConfig& config) {
    QString place;
    if (config.devices.size() > 1) {
        place += QStringLiteral(" · ") + QString::fromStdString(key.device);
    }
    if (config.isas.size() > 1) {
        place += QStringLiteral(" · ") + QString::fromStdString(key.isa);
    }
    return place;
}

/// Cells in the order of their batch sizes.
std::vector<std::size_t> byBatchSize(const values::Sweep& sweep) {
    std::vector<std::size_t> order(sweep.cells.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sweep.cells[i].key.batchSize; });
    return order;
}

/// A value with its interval.
struct Estimate {
    double value = 0;
    std::optional<analysis::Interval> interval{};
};

std::optional<Estimate> estimateOf(const analysis::CellFigures& figures, ScalingView view) {
    if (!figures.median) {
        return std::nullopt;
    }
    switch (view) {
    case ScalingView::StepTime:
        return Estimate{*figures.median, figures.interval};
    case ScalingView::ImagesPerSecond: {
        const double images = *figures.imagesPerSecond * *figures.median; // a second's worth at 1 ms a step
        return Estimate{*figures.imagesPerSecond,
                        analysis::Interval{images / figures.interval->high, images / figures.interval->low}};
    }
    case ScalingView::SpeedUp:
        return figures.speedUp ? std::optional(Estimate{figures.speedUp->ratio, figures.speedUp->interval})
                               : std::nullopt;
    case ScalingView::Memory:
        return figures.peakBytes ? std::optional(Estimate{static_cast<double>(*figures.peakBytes) / kMega})
                                 : std::nullopt;
    }
    return std::nullopt;
}

QString baselineText(const values::Baseline& baseline) {
    QStringList parts;
    if (baseline.policy) {
        parts << policyName(*baseline.policy);
    }
    for (const auto& part : {baseline.device, baseline.isa}) {
        if (part) {
            parts << QString::fromStdString(*part);
        }
    }
    return parts.join(QLatin1Char(' '));
}

AxisLook axisOf(ScalingView view, const values::SweepConfig& config) {
    AxisLook axis;
    axis.minimum = 0;
    switch (view) {
    case ScalingView::StepTime:
        axis.title = say("ms / step");
        break;
    case ScalingView::ImagesPerSecond:
        axis.title = say("images / s");
        break;
    case ScalingView::SpeedUp:
        axis.title = say("times as fast as %1").arg(baselineText(config.baseline));
        break;
    case ScalingView::Memory:
        axis.title = say("MB");
        break;
    }
    return axis;
}

QString columnOf(ScalingView view) {
    switch (view) {
    case ScalingView::StepTime:
        return QStringLiteral("median_ms");
    case ScalingView::ImagesPerSecond:
        return QStringLiteral("images_per_second");
    case ScalingView::SpeedUp:
        return QStringLiteral("speedup");
    case ScalingView::Memory:
        break;
    }
    return QStringLiteral("peak_megabytes");
}

QString titleOf(ScalingView view) {
    switch (view) {
    case ScalingView::StepTime:
        return say("Time of a step (shaded: 95 % interval)");
    case ScalingView::ImagesPerSecond:
        return say("Throughput (shaded: 95 % interval)");
    case ScalingView::SpeedUp:
        return say("Speed-up (shaded: 95 % interval)");
    case ScalingView::Memory:
        break;
    }
    return say("Memory (lines: predicted, marks: measured peak)");
}

/// What is drawn of one policy in one place.
struct Series {
    values::CellKey key; ///< of its first cell
    std::vector<QPointF> middle, low, high, predicted;
};

std::vector<Series> seriesOf(const MeasuredSweep& measured, ScalingView view) {
    std::vector<Series> all;
    for (const std::size_t i : byBatchSize(measured.sweep)) {
        const SweepCell& cell = measured.sweep.cells[i];
        auto series = std::ranges::find_if(all, [&](const Series& one) {
            return one.key.policy == cell.key.policy && one.key.device == cell.key.device &&
                   one.key.isa == cell.key.isa;
        });
        if (series == all.end()) {
            series = all.insert(all.end(), Series{cell.key, {}, {}, {}, {}});
        }
        const double x = cell.key.batchSize;
        if (const auto estimate = estimateOf(measured.figures[i], view)) {
            series->middle.emplace_back(x, estimate->value);
            if (estimate->interval) {
                series->low.emplace_back(x, estimate->interval->low);
                series->high.emplace_back(x, estimate->interval->high);
            }
        }
        if (view == ScalingView::Memory && measured.figures[i].predictedBytes) {
            series->predicted.emplace_back(x, static_cast<double>(*measured.figures[i].predictedBytes) / kMega);
        }
    }
    return all;
}

} // namespace

std::vector<Bar> sweepBars(const MeasuredSweep& measured) {
    std::vector<Bar> bars;
    for (const std::size_t i : byBatchSize(measured.sweep)) {
        const SweepCell& cell = measured.sweep.cells[i];
        const analysis::CellFigures& figures = measured.figures[i];
        Bar bar{.group = say("batch %1").arg(cell.key.batchSize) + placeOf(cell.key, measured.sweep.config),
                .series = policyName(cell.key.policy),
                .colour = colourOf(cell.key.policy),
                .value = std::numeric_limits<double>::quiet_NaN()};
        if (figures.median) {
            bar.value = *figures.median;
            bar.low = figures.interval->low;
            bar.high = figures.interval->high;
        } else if (figures.status == CellStatus::Oom) {
            bar.note = QStringLiteral("OOM");
        } else {
            bar.note = absent();
        }
        bars.push_back(std::move(bar));
    }
    return bars;
}

ScalingCurves scalingCurves(const MeasuredSweep& measured, ScalingView view) {
    const values::SweepConfig& config = measured.sweep.config;
    ScalingCurves curves{titleOf(view), axisOf(view, config), {}, {}};
    const auto add = [&](const CurveLook& look, const std::vector<QPointF>& points) {
        if (!points.empty()) {
            curves.looks.push_back(look);
            curves.points.push_back(points);
        }
    };
    for (const Series& series : seriesOf(measured, view)) {
        const QString name = policyName(series.key.policy) + placeOf(series.key, config);
        const QString column = QString(name).replace(QStringLiteral(" · "), QStringLiteral("_")) + QLatin1Char('_');
        CurveLook look{.name = name,
                       .column = column + columnOf(view),
                       .colour = colourOf(series.key.policy),
                       .style = CurveStyle::BoldWithPoints,
                       .marker = markerOf(series.key.policy)};
        if (view == ScalingView::Memory) {
            CurveLook line = look;
            line.style = CurveStyle::Bold;
            line.column = column + QStringLiteral("predicted_megabytes");
            add(line, series.predicted);
            look.style = CurveStyle::Points;
            look.follows = series.predicted.empty() ? std::nullopt : std::optional(curves.looks.size() - 1);
            look.inLegend = series.predicted.empty();
            look.name = say("%1, measured").arg(name);
        }
        CurveLook edge = look;
        edge.style = CurveStyle::Edge;
        edge.inLegend = false;
        edge.derived = true;
        edge.name = say("%1, 95 % interval").arg(name);
        for (const auto& [points, end] : {std::pair(&series.low, "_low"), std::pair(&series.high, "_high")}) {
            edge.column = look.column + QLatin1String(end);
            const bool first = points == &series.low;
            edge.bandTo = first ? std::optional(curves.looks.size() + 1) : std::nullopt;
            edge.follows = curves.looks.size() + (first ? 2 : 1); // what comes after both
            add(edge, *points);
        }
        add(look, series.middle);
    }
    if (view == ScalingView::Memory && config.base.memoryLimitBytes && !measured.sweep.cells.empty()) {
        const auto [least, most] = std::ranges::minmax(config.batchSizes);
        const double limit = static_cast<double>(*config.base.memoryLimitBytes) / kMega;
        add({.name = say("the limit"),
             .column = QStringLiteral("limit_megabytes"),
             .colour = QColor(QStringLiteral("#888888")),
             .style = CurveStyle::Thin},
            {QPointF(least, limit), QPointF(most, limit)});
    }
    return curves;
}

} // namespace halfstep::ui
