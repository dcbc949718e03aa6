#include "ui/pages/compare_page.h"
#include "ui/pages/compare_runs.h"
#include "ui/pages/compare_sweep.h"
#include "ui/widgets/segmented_switch.h"
#include <QHBoxLayout>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace halfstep::ui {
namespace {

constexpr auto kViewKey = "compare/view";

} // namespace

ComparePage::ComparePage(const AppContext& context, QWidget* parent, SweepSession::SweepFunction sweep)
    : Page(parent),
      m_context(context),
      m_view(new SegmentedSwitch({tr("Grid"), tr("Bars"), tr("Scaling"), tr("Runs")})),
      m_stack(new QStackedWidget),
      m_sweep(new CompareSweep(context, std::move(sweep))),
      m_runs(new CompareRuns(context)) {
    setObjectName(QStringLiteral("comparePage"));
    setAccessibleName(tr("Compare"));
    m_view->setObjectName(QStringLiteral("compareView"));
    m_view->setAccessibleName(tr("A sweep as a grid, as bars or over the batch size, or the runs"));
    auto* top = new QHBoxLayout;
    top->addWidget(m_view);
    top->addStretch();
    m_stack->addWidget(m_sweep);
    m_stack->addWidget(m_runs);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addLayout(top);
    layout->addWidget(m_stack, 1);
    connect(m_view, &SegmentedSwitch::chosen, this, [this](int view) { showView(static_cast<View>(view)); });
    connect(m_runs, &CompareRuns::experimentWanted, this, &ComparePage::experimentWanted);
    connect(m_runs, &CompareRuns::historyEdited, this, &ComparePage::historyEdited);
    connect(m_sweep, &CompareSweep::whyWanted, this, &ComparePage::whyWanted);
    const int last = m_context.settings ? m_context.settings->value(QLatin1String(kViewKey), Grid).toInt() : Grid;
    showView(static_cast<View>(std::clamp<int>(last, Grid, Runs)));
}

ComparePage::~ComparePage() = default;

void ComparePage::showView(View view) {
    m_view->setCurrent(view);
    if (view == Runs) {
        m_stack->setCurrentWidget(m_runs);
    } else {
        m_sweep->showView(static_cast<SweepViews::View>(view));
        m_stack->setCurrentWidget(m_sweep);
    }
    if (m_context.settings) {
        m_context.settings->setValue(QLatin1String(kViewKey), static_cast<int>(view));
    }
}

ComparePage::View ComparePage::view() const {
    return static_cast<View>(m_view->current());
}

void ComparePage::showSweep(std::int64_t sweep) {
    if (view() == Runs) {
        showView(Grid);
    }
    m_sweep->showSweep(sweep);
}

void ComparePage::resumeSweep(std::int64_t sweep) {
    showSweep(sweep);
    m_sweep->resumeSweep(sweep);
}

void ComparePage::setTheme(const Theme& theme) {
    m_sweep->setTheme(theme);
    m_runs->setTheme(theme);
}

void ComparePage::exportShown() {
    view() == Runs ? m_runs->exportShown() : m_sweep->exportShown();
}

void ComparePage::setDataSource(const QString& /*source*/, int /*imageSize*/) {
    m_sweep->refreshPlan();
}

void ComparePage::historyChanged() {
    m_runs->historyChanged();
    m_sweep->historyChanged();
}

void ComparePage::showRuns(const std::vector<std::int64_t>& runs) {
    m_runs->runs().checkOnly({runs.begin(), runs.end()});
    showView(Runs);
}

} // namespace halfstep::ui
