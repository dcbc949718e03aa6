#include "ui/pages/sweep_scaling.h"
#include "ui/charts/curve_chart.h"
#include "ui/widgets/segmented_switch.h"
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace halfstep::ui {
namespace {

AxisLook batchAxis() {
    AxisLook axis;
    axis.title = SweepScaling::tr("batch size");
    axis.column = QStringLiteral("batch_size");
    axis.minimum = 0;
    axis.integers = true;
    return axis;
}

} // namespace

SweepScaling::SweepScaling(QSettings* settings, QWidget* parent)
    : QWidget(parent),
      m_view(new SegmentedSwitch({tr("ms / step"), tr("Images / s"), tr("Speed-up"), tr("Memory")})),
      m_chart(new CurveChart(tr("Scaling"), batchAxis(), {}, settings)) {
    m_view->setObjectName(QStringLiteral("scalingView"));
    m_view->setAccessibleName(tr("What is drawn over the batch size"));
    m_chart->setAccessibleName(tr("The sweep over the batch size"));
    m_chart->setExportName(QStringLiteral("scaling"));
    m_chart->setEmptyText(tr("Nothing was measured yet."));
    auto* switches = new QHBoxLayout;
    switches->addWidget(m_view);
    switches->addStretch();
    m_chart->content()->insertLayout(0, switches);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chart);
    connect(m_view, &SegmentedSwitch::chosen, this, &SweepScaling::draw);
}

void SweepScaling::setSweep(const MeasuredSweepPtr& sweep) {
    m_sweep = sweep;
    draw();
}

void SweepScaling::showView(ScalingView view) {
    m_view->setCurrent(static_cast<int>(view));
    draw();
}

void SweepScaling::draw() {
    const auto view = static_cast<ScalingView>(m_view->current());
    const ScalingCurves curves = m_sweep ? scalingCurves(*m_sweep, view) : ScalingCurves{};
    if (m_sweep) {
        m_chart->setTitle(curves.title);
    }
    m_chart->setCurves({});
    m_chart->setAxes(batchAxis(), curves.y);
    m_chart->setCurves(curves.looks);
    for (std::size_t i = 0; i < curves.points.size(); ++i) {
        m_chart->setPoints(i, curves.points[i]);
    }
    m_chart->refresh();
}

void SweepScaling::setTheme(const Theme& theme) {
    m_chart->setTheme(theme);
}

} // namespace halfstep::ui
