#include "ui/pages/compare_curves.h"
#include "ui/charts/curve_chart.h"
#include "ui/format/format.h"
#include "ui/models/run_columns.h"
#include "ui/widgets/segmented_switch.h"
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <utility>

namespace halfstep::ui {
namespace {

constexpr std::size_t kFullTitles = 3; ///< with more runs, the legend has room for their numbers only

AxisLook fromZero(const QString& name) {
    AxisLook look;
    look.title = name;
    look.column = name;
    look.minimum = 0;
    return look;
}

AxisLook xAxis(CurveOver over) {
    switch (over) {
    case CurveOver::Epoch:
        return fromZero(QStringLiteral("epoch"));
    case CurveOver::Seconds:
        return fromZero(QStringLiteral("seconds"));
    case CurveOver::Step:
        break;
    }
    AxisLook steps = fromZero(QStringLiteral("step"));
    steps.integers = true;
    return steps;
}

AxisLook yAxis(CurveMetric metric) {
    if (metric == CurveMetric::Loss) {
        return fromZero(QStringLiteral("loss"));
    }
    AxisLook accuracy = fromZero(QStringLiteral("accuracy"));
    accuracy.maximum = 1;
    return accuracy;
}

} // namespace

CompareCurves::CompareCurves(QSettings* settings, QWidget* parent)
    : QWidget(parent),
      m_metric(new SegmentedSwitch({tr("Loss"), tr("Accuracy")})),
      m_over(new SegmentedSwitch({tr("Step"), tr("Epoch"), tr("Seconds")})),
      m_chart(new CurveChart(tr("Curves"), xAxis(CurveOver::Step), yAxis(CurveMetric::Loss), settings)) {
    m_metric->setAccessibleName(tr("What the curves show"));
    m_over->setAccessibleName(tr("What the curves are drawn over"));
    m_metric->setObjectName(QStringLiteral("curveMetric"));
    m_over->setObjectName(QStringLiteral("curveOver"));
    m_chart->setAccessibleName(tr("Curves of the checked runs"));
    m_chart->offerLogarithm(QStringLiteral("compared_curves"));
    m_chart->setExportName(QStringLiteral("curves"));
    m_chart->setEmptyText(tr("Check runs above to draw their curves."));

    auto* switches = new QHBoxLayout;
    switches->setSpacing(kGrid);
    switches->addWidget(m_metric);
    switches->addWidget(m_over);
    switches->addStretch();
    m_chart->content()->insertLayout(0, switches);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chart);
    connect(m_metric, &SegmentedSwitch::chosen, this, &CompareCurves::draw);
    connect(m_over, &SegmentedSwitch::chosen, this, &CompareCurves::draw);
}

void CompareCurves::setRuns(RunList runs) {
    m_runs = std::move(runs);
    draw();
}

void CompareCurves::draw() {
    const auto metric = static_cast<CurveMetric>(m_metric->current());
    const auto over = static_cast<CurveOver>(m_over->current());
    const QString column = metric == CurveMetric::Loss ? QStringLiteral("loss") : QStringLiteral("accuracy");
    std::vector<CurveLook> looks;
    std::vector<std::vector<QPointF>> points;
    for (const auto& records : m_runs) {
        const store::StoredRun& run = records->run;
        const QString policy = policyName(run.config.policy);
        const QString title = m_runs.size() <= kFullTitles ? QStringLiteral("%1 · %2").arg(runTitle(run), policy)
                                                           : QStringLiteral("run %1").arg(run.id);
        const QString prefix = QStringLiteral("run_%1_").arg(run.id);
        const QColor colour = colourOf(run.config.policy);
        const Marker marker = markerOf(run.config.policy);
        RunCurves curves = runCurves(*records, metric, over);
        looks.push_back({.name = tr("%1, each step").arg(title),
                         .column = prefix + column,
                         .colour = colour,
                         .style = CurveStyle::Thin,
                         .marker = marker,
                         .inLegend = false});
        points.push_back(std::move(curves.raw));
        looks.push_back({.name = title,
                         .column = prefix + QStringLiteral("smoothed_") + column,
                         .colour = colour,
                         .style = CurveStyle::Bold,
                         .marker = marker,
                         .inLegend = true});
        points.push_back(std::move(curves.smoothed));
        if (!curves.validation.empty()) {
            looks.push_back({.name = tr("%1, validation").arg(title),
                             .column = prefix + QStringLiteral("val_") + column,
                             .colour = colour,
                             .style = CurveStyle::Points,
                             .marker = marker,
                             .inLegend = false});
            points.push_back(std::move(curves.validation));
        }
    }
    m_chart->setTitle(metric == CurveMetric::Loss ? tr("Loss") : tr("Accuracy"));
    m_chart->setCurves({});
    m_chart->setAxes(xAxis(over), yAxis(metric));
    m_chart->setCurves(looks);
    for (std::size_t i = 0; i < points.size(); ++i) {
        m_chart->setPoints(i, points[i]);
    }
    m_chart->refresh();
}

void CompareCurves::setTheme(const Theme& theme) {
    m_chart->setTheme(theme);
}

} // namespace halfstep::ui
