#include "ui/pages/numerics_page.h"
#include "ui/charts/exponent_chart.h"
#include "ui/pages/numerics_detail.h"
#include "ui/pages/numerics_measured.h"
#include "ui/pages/numerics_picker.h"
#include "ui/pages/numerics_roundings.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segmented_switch.h"
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace halfstep::ui {

NumericsPage::NumericsPage(const AppContext& context, QWidget* parent)
    : Page(parent),
      m_banner(new Banner),
      m_view(new SegmentedSwitch({tr("Measured"), tr("Roundings")})),
      m_picker(new NumericsPicker(context.places.historyFile)),
      m_stack(new QStackedWidget),
      m_empty(new EmptyState(tr("No numbers yet"),
                             tr("Start a run: every few steps (Advanced, Numerics) the numbers in all of its tensors "
                                "are counted, and here stands what float16, bfloat16 and smaller formats make of "
                                "them."),
                             tr("Start a run"))),
      m_measured(new NumericsMeasured(context.settings)),
      m_roundings(new NumericsRoundings) {
    setObjectName(QStringLiteral("numericsPage"));
    setAccessibleName(tr("Numerics"));
    m_view->setAccessibleName(tr("Measured numbers or the table of roundings"));
    m_view->setObjectName(QStringLiteral("numericsView"));
    m_measured->detail()->setEmptyText(tr("Waiting for the first recorded step"));

    auto* top = new QHBoxLayout;
    top->setSpacing(2 * kGrid);
    top->addWidget(m_view);
    top->addWidget(m_picker, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_measured);
    m_stack->addWidget(m_roundings);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);

    connect(m_view, &SegmentedSwitch::chosen, this, &NumericsPage::refreshView);
    connect(m_empty, &EmptyState::actionRequested, this, &NumericsPage::experimentWanted);
    connect(m_picker, &NumericsPicker::runsChanged, this, &NumericsPage::refreshView);
    connect(m_picker, &NumericsPicker::recordChosen, this, &NumericsPage::takeRecord);
    connect(m_picker, &NumericsPicker::failed, this,
            [this](const QString& sentence) { m_banner->showMessage(Banner::Kind::Error, sentence); });
    refreshView();
}

NumericsPage::~NumericsPage() = default;

void NumericsPage::showView(View view) {
    m_view->setCurrent(view);
    refreshView();
}

void NumericsPage::refreshView() {
    const bool measured = m_view->current() == Measured;
    QSizePolicy keepsRoom = m_picker->sizePolicy();
    keepsRoom.setRetainSizeWhenHidden(true);
    m_picker->setSizePolicy(keepsRoom);
    m_picker->setVisible(measured && m_picker->hasRuns());
    m_stack->setCurrentWidget(!measured             ? static_cast<QWidget*>(m_roundings)
                              : m_picker->hasRuns() ? static_cast<QWidget*>(m_measured)
                                                    : m_empty);
    showRecord();
}

void NumericsPage::takeRecord(const std::shared_ptr<const values::NumericsRecord>& record, precision::Policy policy) {
    m_record = record;
    m_policy = policy;
    m_stale = true;
    showRecord();
}

void NumericsPage::showRecord() {
    // A run brings up to ten records a second: they are drawn only while somebody looks.
    if (m_stale && isVisible() && m_stack->currentWidget() == m_measured) {
        m_stale = false;
        m_measured->showRecord(m_record, m_policy);
    }
}

void NumericsPage::setPolicy(precision::Policy policy) {
    m_roundings->setPolicy(policy);
}

void NumericsPage::begin(const values::ExperimentConfig& config) {
    m_picker->begin(config);
}

void NumericsPage::apply(const std::vector<values::RunEvent>& batch) {
    m_picker->apply(batch);
}

void NumericsPage::end() {
    m_picker->end();
}

void NumericsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    showRecord();
    m_picker->refresh(); // another process may have trained meanwhile
}

void NumericsPage::historyChanged() {
    if (isVisible()) {
        m_picker->refresh();
    }
}

void NumericsPage::exportShown() {
    if (m_view->current() == Roundings) {
        m_banner->showMessage(Banner::Kind::Information,
                              tr("The table of roundings is copied with its button, or Ctrl+C in the table."));
        return;
    }
    if (!m_picker->hasRuns()) {
        m_banner->showMessage(Banner::Kind::Information, tr("There is nothing to export yet: start a run first."));
        return;
    }
    m_measured->detail()->chart()->askAndExport();
}

void NumericsPage::setTheme(const Theme& theme) {
    m_measured->setTheme(theme);
    m_roundings->setTheme(theme);
}

} // namespace halfstep::ui
