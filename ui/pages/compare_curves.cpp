#include "ui/pages/compare_curves.h"
#include "ui/charts/curve_chart.h"
#include "ui/format/format.h"
#include "ui/models/run_columns.h"
#include "ui/widgets/segmented_switch.h"
#include <QCheckBox>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
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
      m_smooth(new QCheckBox(tr("Smooth"))),
      m_together(new QCheckBox(tr("Mean of seeds"))),
      m_chart(new CurveChart(tr("Curves"), xAxis(CurveOver::Step), yAxis(CurveMetric::Loss), settings)) {
    m_metric->setAccessibleName(tr("What the curves show"));
    m_over->setAccessibleName(tr("What the curves are drawn over"));
    m_metric->setObjectName(QStringLiteral("curveMetric"));
    m_over->setObjectName(QStringLiteral("curveOver"));
    m_smooth->setObjectName(QStringLiteral("curveSmooth"));
    m_smooth->setChecked(true);
    m_smooth->setToolTip(tr("Averages over about ten steps, with the values of each step thin behind"));
    m_together->setObjectName(QStringLiteral("curveSeeds"));
    m_together->setChecked(true);
    m_together->setEnabled(false);
    m_chart->setAccessibleName(tr("Curves of the checked runs"));
    m_chart->offerLogarithm(QStringLiteral("compared_curves"));
    m_chart->setExportName(QStringLiteral("curves"));
    m_chart->setEmptyText(tr("Check runs above to draw their curves."));

    auto* switches = new QHBoxLayout;
    switches->setSpacing(kGrid);
    switches->addWidget(m_metric);
    switches->addWidget(m_over);
    switches->addStretch();
    m_chart->header()->insertWidget(1, m_smooth); // beside the title: the bars need the width
    m_chart->header()->insertWidget(2, m_together);
    m_chart->content()->insertLayout(0, switches);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chart);
    connect(m_metric, &SegmentedSwitch::chosen, this, &CompareCurves::draw);
    connect(m_over, &SegmentedSwitch::chosen, this, &CompareCurves::draw);
    connect(m_smooth, &QCheckBox::toggled, this, &CompareCurves::draw);
    connect(m_together, &QCheckBox::toggled, this, &CompareCurves::draw);
}

void CompareCurves::setRuns(RunList runs) {
    m_runs = std::move(runs);
    const auto groups = seedGroups(m_runs);
    const bool several = std::ranges::any_of(groups, [](const SeedGroup& group) { return group.runs.size() > 1; });
    m_together->setEnabled(several);
    m_together->setToolTip(several
                               ? tr("The mean over the seeds of a configuration, in a band from the lowest to the "
                                    "highest run")
                               : tr("Check several runs that differ only in their seed"));
    draw();
}

CurveMetric CompareCurves::metric() const {
    return static_cast<CurveMetric>(m_metric->current());
}

CurveOver CompareCurves::over() const {
    return static_cast<CurveOver>(m_over->current());
}

QString CompareCurves::column() const {
    return metric() == CurveMetric::Loss ? QStringLiteral("loss") : QStringLiteral("accuracy");
}

std::vector<CompareCurves::Curve> CompareCurves::curvesOf(const RunRecords& records, const QString& title) const {
    const precision::Policy policy = records.run.config.policy;
    const QString prefix = QStringLiteral("run_%1_").arg(records.run.id);
    const bool smooth = m_smooth->isChecked();
    RunCurves numbers = runCurves(records, metric(), over());
    std::vector<Curve> curves;
    const auto add = [&](const QString& name, const QString& what, CurveStyle style, bool inLegend,
                         std::vector<QPointF> points) {
        curves.push_back({{.name = name,
                           .column = prefix + what + column(),
                           .colour = colourOf(policy),
                           .style = style,
                           .marker = markerOf(policy),
                           .inLegend = inLegend},
                          std::move(points)});
    };
    add(smooth ? tr("%1, each step").arg(title) : title, {}, smooth ? CurveStyle::Thin : CurveStyle::Bold, !smooth,
        std::move(numbers.raw));
    if (smooth) {
        add(title, QStringLiteral("smoothed_"), CurveStyle::Bold, true, std::move(numbers.smoothed));
    }
    if (!numbers.validation.empty()) {
        add(tr("%1, validation").arg(title), QStringLiteral("val_"), CurveStyle::Points, false,
            std::move(numbers.validation));
    }
    return curves;
}

std::vector<CompareCurves::Curve> CompareCurves::bandsOf(const SeedGroup& group, std::size_t firstIndex) const {
    const values::ExperimentConfig& config = group.runs.front()->run.config;
    const QString title = tr("%1 · batch %2, mean of %3 seeds")
                              .arg(policyName(config.policy))
                              .arg(config.batchSize)
                              .arg(group.runs.size());
    const QString prefix = QStringLiteral("runs_from_%1_").arg(group.runs.front()->run.id);
    std::vector<RunCurves> runs;
    for (const auto& records : group.runs) {
        runs.push_back(runCurves(*records, metric(), over()));
    }
    std::vector<Curve> curves;
    const auto add = [&](const Band& band, const QString& name, const QString& what, CurveStyle style,
                         bool inLegend) {
        CurveLook look{.name = tr("%1, lowest").arg(name),
                       .column = prefix + what + QStringLiteral("lowest_") + column(),
                       .colour = colourOf(config.policy),
                       .style = CurveStyle::Edge,
                       .marker = markerOf(config.policy),
                       .inLegend = false,
                       .derived = true,
                       .bandTo = firstIndex + curves.size() + 1,
                       .follows = firstIndex + curves.size() + 2};
        curves.push_back({look, band.low});
        look.name = tr("%1, highest").arg(name);
        look.column = prefix + what + QStringLiteral("highest_") + column();
        look.bandTo.reset(); // `follows` stays: both go with their mean
        curves.push_back({look, band.high});
        look.name = name;
        look.column = prefix + what + QStringLiteral("mean_") + column();
        look.style = style;
        look.inLegend = inLegend;
        look.derived = false;
        look.follows.reset();
        curves.push_back({look, band.mean});
    };
    add(trainingBand(runs), title, {}, CurveStyle::Bold, true);
    if (const Band validation = validationBand(runs); !validation.mean.empty()) {
        add(validation, tr("%1, validation").arg(title), QStringLiteral("val_"), CurveStyle::Points, false);
    }
    return curves;
}

void CompareCurves::draw() {
    std::vector<Curve> curves;
    const auto add = [&curves](std::vector<Curve> more) { std::ranges::move(more, std::back_inserter(curves)); };
    const std::vector<SeedGroup> groups =
        m_together->isChecked() && m_together->isEnabled() ? seedGroups(m_runs) : std::vector<SeedGroup>{};
    const auto isAlone = [&groups](const auto& records) {
        return std::ranges::none_of(groups, [&](const SeedGroup& group) {
            return group.runs.size() > 1 && std::ranges::find(group.runs, records) != group.runs.end();
        });
    };
    for (const SeedGroup& group : groups) {
        if (group.runs.size() > 1) {
            add(bandsOf(group, curves.size()));
        }
    }
    for (const auto& records : m_runs) {
        if (isAlone(records)) {
            const store::StoredRun& run = records->run;
            add(curvesOf(*records, m_runs.size() <= kFullTitles
                                       ? QStringLiteral("%1 · %2").arg(runTitle(run), policyName(run.config.policy))
                                       : QStringLiteral("run %1").arg(run.id)));
        }
    }
    std::vector<CurveLook> looks;
    std::ranges::transform(curves, std::back_inserter(looks), &Curve::look);
    m_chart->setTitle(metric() == CurveMetric::Loss ? tr("Loss") : tr("Accuracy"));
    m_chart->setCurves({});
    m_chart->setAxes(xAxis(over()), yAxis(metric()));
    m_chart->setCurves(looks);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        m_chart->setPoints(i, curves[i].points);
    }
    m_chart->refresh();
}

void CompareCurves::setTheme(const Theme& theme) {
    m_chart->setTheme(theme);
}

} // namespace halfstep::ui
