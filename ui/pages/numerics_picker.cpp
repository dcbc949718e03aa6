#include "ui/pages/numerics_picker.h"
#include "ui/format/format.h"
#include "ui/models/run_columns.h"
#include "ui/widgets/policy_mark.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <utility>

namespace halfstep::ui {

namespace {

constexpr int kRunsWidth = 30 * kGrid;

QString textOf(const QString& run, precision::Policy policy) {
    return QStringLiteral("%1 · %2").arg(run, policyName(policy));
}

} // namespace

NumericsPicker::NumericsPicker(std::filesystem::path historyFile, QWidget* parent)
    : QWidget(parent),
      m_runs(new QComboBox),
      m_slider(new QSlider(Qt::Horizontal)),
      m_step(new QLabel),
      m_history(std::move(historyFile)) {
    for (const precision::Policy policy : precision::kPolicies) {
        m_icons[static_cast<std::size_t>(policy)] = policyIcon(policy);
    }
    m_runs->setAccessibleName(tr("Run"));
    m_runs->setToolTip(tr("Runs of the history whose numbers were recorded"));
    m_runs->setFixedWidth(kRunsWidth);
    m_slider->setAccessibleName(tr("Recorded step"));
    m_slider->setToolTip(tr("Recorded steps; at the right end the newest, which follows a run that goes on"));
    m_slider->setPageStep(5);
    m_step->ensurePolished();
    m_step->setFixedWidth(
        m_step->fontMetrics().horizontalAdvance(tr("step %1 · loss scale %2").arg(count(999'999), powerOfTwo(100))));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_runs);
    layout->addSpacing(kGrid);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_step);

    connect(m_runs, &QComboBox::currentIndexChanged, this, &NumericsPicker::runChosen);
    connect(m_slider, &QSlider::valueChanged, this, &NumericsPicker::stepChosen);
    connect(&m_history, &RunHistory::runsRead, this, &NumericsPicker::takeRuns);
    connect(&m_history, &RunHistory::numericsStepsRead, this, &NumericsPicker::takeSteps);
    connect(&m_history, &RunHistory::numericsRead, this, &NumericsPicker::takeRecord);
    connect(&m_history, &RunHistory::failed, this, [this](const QString& sentence) {
        m_reading = false;
        emit failed(sentence);
    });
    setSteps({}, true);
}

NumericsPicker::~NumericsPicker() = default;

bool NumericsPicker::hasRuns() const {
    return !m_choices.empty();
}

std::optional<std::int64_t> NumericsPicker::run() const {
    const int index = m_runs->currentIndex();
    return index >= 0 ? std::optional(m_choices[static_cast<std::size_t>(index)].run) : std::nullopt;
}

void NumericsPicker::refresh() {
    m_history.readRuns();
    if (m_shownRun) {
        m_history.readNumericsSteps(*m_shownRun);
    }
}

void NumericsPicker::begin(const values::ExperimentConfig& config) {
    m_liveRun.reset();
    m_liveConfig = config.numericsEvery > 0 ? std::optional(config) : std::nullopt;
}

void NumericsPicker::end() {
    m_liveRun.reset();
    m_liveConfig.reset();
}

void NumericsPicker::apply(const std::vector<values::RunEvent>& batch) {
    for (const values::RunEvent& event : batch) {
        if (const auto* plan = std::get_if<values::RunPlan>(&event); plan != nullptr && m_liveConfig) {
            m_liveRun = plan->run;
            m_choices.insert(m_choices.begin(), {plan->run, m_liveConfig->policy,
                                                 textOf(tr("run %1").arg(plan->run), m_liveConfig->policy)});
            fillRuns(plan->run);
            emit runsChanged();
        } else if (const auto* record = std::get_if<values::NumericsRecord>(&event)) {
            takeLive(*record);
        }
    }
}

void NumericsPicker::takeLive(const values::NumericsRecord& record) {
    if (!m_liveRun || m_shownRun != m_liveRun) {
        return;
    }
    const bool follows = m_slider->value() == m_slider->maximum();
    std::vector<std::int64_t> steps = m_steps;
    if (steps.empty() || steps.back() < record.step) {
        steps.push_back(record.step);
    }
    setSteps(std::move(steps), follows);
    if (follows) {
        show(std::make_shared<values::NumericsRecord>(record));
    }
}

void NumericsPicker::takeRuns(const std::vector<store::StoredRun>& runs) {
    m_choices.clear();
    for (const store::StoredRun& stored : runs) {
        const bool recorded = stored.config.numericsEvery > 0 && stored.stepsDone > 0;
        if (recorded || stored.id == m_liveRun) {
            m_choices.push_back({stored.id, stored.config.policy, textOf(runTitle(stored), stored.config.policy)});
        }
    }
    fillRuns(m_shownRun);
    emit runsChanged();
}

void NumericsPicker::fillRuns(std::optional<std::int64_t> chosen) {
    const auto wanted = std::ranges::find_if(m_choices, [&](const Choice& one) { return one.run == chosen; });
    {
        const QSignalBlocker quiet(m_runs);
        m_runs->clear();
        for (const Choice& one : m_choices) {
            m_runs->addItem(m_icons[static_cast<std::size_t>(one.policy)], one.text);
            m_runs->setItemData(m_runs->count() - 1, one.text, Qt::ToolTipRole);
        }
        if (!m_choices.empty()) {
            m_runs->setCurrentIndex(wanted == m_choices.end() ? 0 : static_cast<int>(wanted - m_choices.begin()));
        }
    }
    m_runs->setEnabled(!m_choices.empty());
    if (run() != m_shownRun) {
        runChosen();
    }
}

void NumericsPicker::runChosen() {
    m_shownRun = run();
    setSteps({}, true);
    show(nullptr);
    if (m_shownRun) {
        m_history.readNumericsSteps(*m_shownRun);
    }
}

void NumericsPicker::takeSteps(std::int64_t run, const std::vector<std::int64_t>& steps) {
    if (run != m_shownRun || steps.size() < m_steps.size()) { // a live record may have come in between
        return;
    }
    setSteps(steps, m_slider->value() == m_slider->maximum());
    stepChosen();
}

void NumericsPicker::setSteps(std::vector<std::int64_t> steps, bool toEnd) {
    const QSignalBlocker quiet(m_slider);
    m_steps = std::move(steps);
    m_slider->setRange(0, std::max(static_cast<int>(m_steps.size()) - 1, 0));
    if (toEnd) {
        m_slider->setValue(m_slider->maximum());
    }
    m_slider->setEnabled(m_steps.size() > 1);
}

std::optional<std::int64_t> NumericsPicker::wantedStep() const {
    const auto index = static_cast<std::size_t>(m_slider->value());
    return index < m_steps.size() ? std::optional(m_steps[index]) : std::nullopt;
}

void NumericsPicker::stepChosen() {
    const auto wanted = wantedStep();
    if (!wanted || m_reading || (m_record && m_record->step == *wanted)) {
        return;
    }
    m_reading = true; // one at a time, however fast the slider moves
    m_history.readNumerics(*m_shownRun, *wanted);
}

void NumericsPicker::takeRecord(std::int64_t run, const std::shared_ptr<const values::NumericsRecord>& record) {
    m_reading = false;
    if (run == m_shownRun && record) {
        show(record);
    }
    if (record || run != m_shownRun) { // else it has just been deleted
        stepChosen();
    }
}

void NumericsPicker::show(std::shared_ptr<const values::NumericsRecord> record) {
    m_record = std::move(record);
    QString text;
    if (m_record) {
        text = tr("step %1").arg(count(m_record->step));
        if (m_record->lossScale != 1) {
            text += tr(" · loss scale %1").arg(lossScale(m_record->lossScale));
        }
    }
    m_step->setText(text);
    const int index = m_runs->currentIndex();
    emit recordChosen(m_record,
                      index >= 0 ? m_choices[static_cast<std::size_t>(index)].policy : precision::Policy::Float32);
}

} // namespace halfstep::ui
