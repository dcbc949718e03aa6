#include "ui/pages/sweep_views.h"
#include "ui/charts/bar_chart.h"
#include "ui/format/format.h"
#include "ui/pages/sweep_grid.h"
#include "ui/pages/sweep_scaling.h"
#include "ui/widgets/empty_state.h"
#include <QLabel>
#include <QVBoxLayout>

namespace halfstep::ui {

SweepViews::SweepViews(QSettings* settings, QWidget* parent)
    : QStackedWidget(parent),
      m_empty(new EmptyState(tr("No sweep yet"),
                             tr("A sweep measures the ms per step of every policy at every batch size, in turn, so "
                                "that they can be compared. Choose them above; data and image size are those of the "
                                "experiment at the left."),
                             tr("Start the sweep"))),
      m_grid(new SweepGrid),
      m_gridPage(new QWidget),
      m_doubts(new QLabel),
      m_bars(new BarChart(tr("ms / step"), QString(), tr("ms / step"), QStringLiteral("median_ms"), settings)),
      m_scaling(new SweepScaling(settings)) {
    m_bars->setTitle(tr("ms / step (whiskers: 95 % interval)"));
    m_bars->setAccessibleName(tr("ms per step of the sweep"));
    m_bars->setExportName(QStringLiteral("sweep_ms"));
    m_bars->setEmptyText(tr("Nothing was measured yet."));
    m_doubts->setObjectName(QStringLiteral("articleDoubts"));
    m_doubts->setProperty("role", "caption");
    m_doubts->setWordWrap(true);
    m_doubts->hide();
    auto* gridLayout = new QVBoxLayout(m_gridPage);
    gridLayout->setContentsMargins(0, 0, 0, 0);
    gridLayout->setSpacing(kGrid);
    gridLayout->addWidget(m_grid, 1);
    gridLayout->addWidget(m_doubts);
    addWidget(m_empty);
    addWidget(m_gridPage);
    addWidget(m_bars);
    addWidget(m_scaling);
}

void SweepViews::setSweep(const MeasuredSweepPtr& sweep) {
    m_sweep = sweep;
    draw();
}

void SweepViews::showView(View view) {
    m_view = view;
    draw();
}

void SweepViews::draw() {
    if (!m_sweep) {
        setCurrentWidget(m_empty);
        return;
    }
    switch (m_view) {
    case Grid:
        m_grid->setSweep(m_sweep);
        setCurrentWidget(m_gridPage);
        break;
    case Bars: {
        QStringList policies; // in one order, whichever were measured
        for (const precision::Policy policy : precision::kPolicies) {
            policies << policyName(policy);
        }
        m_bars->setBars(sweepBars(*m_sweep), policies);
        setCurrentWidget(m_bars);
        break;
    }
    case Scaling:
        m_scaling->setSweep(m_sweep);
        setCurrentWidget(m_scaling);
        break;
    }
}

void SweepViews::showArticle(int machine) {
    const auto& machines = analysis::articleMachines();
    const auto* chosen = machine < 0 ? nullptr : &machines.at(static_cast<std::size_t>(machine));
    m_grid->setArticle(chosen);
    const QStringList doubts = chosen == nullptr ? QStringList() : articleDoubts(*chosen);
    m_doubts->setText(doubts.join(QLatin1Char('\n')));
    m_doubts->setVisible(!doubts.isEmpty());
}

void SweepViews::setTheme(const Theme& theme) {
    m_grid->setTheme(theme);
    m_bars->setTheme(theme);
    m_scaling->setTheme(theme);
}

} // namespace halfstep::ui
