#include "ui/pages/experiment_form.h"
#include "ui/format/format.h"
#include "ui/pages/form_advanced.h"
#include "ui/pages/form_editors.h"
#include "ui/pages/form_field.h"
#include "ui/pages/form_memory.h"
#include "ui/pages/form_warnings.h"
#include "ui/pages/policy_picker.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/source_picker.h"
#include "ui/widgets/icon.h"
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace halfstep::ui {

namespace {

constexpr int kSampleImageSize = 64; ///< small enough that the loss moves within seconds
constexpr int kPhotographSize = 256;
const QString kSample = QStringLiteral("sample");

} // namespace

ExperimentForm::ExperimentForm(const AppContext& context, QWidget* parent,
                               MemoryForecaster::ForecastFunction forecast)
    : QWidget(parent),
      m_context(context),
      m_times(context.settings),
      m_source(new SourcePicker(context.settings)),
      m_policy(new PolicyPicker),
      m_warnings(new FormWarnings),
      m_forecaster(new MemoryForecaster(context.places, this, std::move(forecast))),
      m_memory(new FormMemory),
      m_batch(numberChoice({8, 16, 32, 64, 128, 256})),
      m_largestBatch(new QPushButton(tr("Largest"))),
      m_device(choiceBox()),
      m_epochs(spinBox(1, 10000)),
      m_advancedButton(new QToolButton),
      m_advanced(new AdvancedFields),
      m_controls(new RunControls),
      m_theme(themeFor(ThemeKind::Light)) {
    setObjectName(QStringLiteral("sidePanel"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Experiment"));
    setFixedWidth(38 * kGrid);

    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(makeFields());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_controls);

    m_setting = true; // half a form has no problems yet
    fillDevices();
    setConfig({.imageSize = kSampleImageSize});
    connect(m_source, &SourcePicker::sourceChanged, this, &ExperimentForm::sourceChanged);
    connect(m_policy, &PolicyPicker::policyChanged, this, &ExperimentForm::policyChosen);
    connect(m_device, &QComboBox::currentIndexChanged, this, &ExperimentForm::deviceChanged);
    connect(m_batch, &QComboBox::currentTextChanged, this, &ExperimentForm::changed);
    connect(m_largestBatch, &QPushButton::clicked, this, &ExperimentForm::findLargestBatch);
    connect(m_forecaster, &MemoryForecaster::largestBatchFound, this, &ExperimentForm::takeLargestBatch);
    connect(m_forecaster, &MemoryForecaster::forecast, this,
            [this](const MemoryForecast& found) { m_memory->show(found, counts(), config().imageSize); });
    connect(m_epochs, &QSpinBox::valueChanged, this, &ExperimentForm::changed);
    connect(m_advanced, &AdvancedFields::changed, this, &ExperimentForm::changed);
    connect(m_controls, &RunControls::startRequested, this, &ExperimentForm::requestStart);
    changed();
}

QWidget* ExperimentForm::makeFields() {
    auto* fields = new QWidget;
    fields->setObjectName(QStringLiteral("scrolled"));
    auto* layout = new QVBoxLayout(fields);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, kGrid);
    layout->setSpacing(kGrid + kGrid / 2);
    auto* heading = new QLabel(tr("Experiment"));
    heading->setProperty("role", "heading");
    layout->addWidget(heading);
    addField(layout, new FormField("data", tr("Data"), m_source));
    addField(layout, new FormField("policy", tr("Policy"), m_policy, FormField::Layout::Above));
    layout->addWidget(m_warnings);
    auto* batch = new FormField("batch_size", tr("Batch size"), m_batch);
    batch->accompany(m_largestBatch, m_memory);
    m_batch->setMinimumContentsLength(3);
    m_largestBatch->setProperty("compact", true);
    m_largestBatch->setFixedWidth(m_largestBatch->fontMetrics().horizontalAdvance(m_largestBatch->text()) +
                                  3 * kGrid);
    m_largestBatch->setAccessibleName(tr("Largest batch"));
    m_largestBatch->setToolTip(tr("Sets the largest batch whose training fits into the free memory, at most the "
                                  "photographs of the set"));
    addField(layout, batch);
    addField(layout, new FormField("device", tr("Device"), m_device));
    addField(layout, new FormField("epochs", tr("Epochs"), m_epochs));

    m_advancedButton->setObjectName(QStringLiteral("disclosure"));
    m_advancedButton->setText(tr("Advanced"));
    m_advancedButton->setCheckable(true);
    m_advancedButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_advancedButton->setToolTip(
        tr("Image size, optimizer, loss scaling, numerics, seed, threads, memory limit, name, checkpoints"));
    connect(m_advancedButton, &QToolButton::toggled, this, &ExperimentForm::setAdvancedShown);
    layout->addWidget(m_advancedButton, 0, Qt::AlignLeft);
    for (FormField* advanced : m_advanced->fields()) {
        m_fields[advanced->key()] = advanced;
    }
    layout->addWidget(m_advanced);
    layout->addStretch();
    setAdvancedShown(false);
    return fields;
}

void ExperimentForm::addField(QVBoxLayout* layout, FormField* field) {
    m_fields[field->key()] = field;
    layout->addWidget(field);
}

FormField* ExperimentForm::field(const QString& key) const {
    const auto found = m_fields.find(key);
    return found == m_fields.end() ? nullptr : found->second;
}

void ExperimentForm::setAdvancedShown(bool shown) {
    m_advancedButton->setChecked(shown);
    m_advancedButton->setIcon(icon(shown ? QStringLiteral("collapse") : QStringLiteral("expand"), m_theme.mutedText));
    m_advanced->setVisible(shown);
}

void ExperimentForm::setTheme(const Theme& theme) {
    m_theme = theme;
    m_source->setIconColour(theme.mutedText);
    setAdvancedShown(m_advancedButton->isChecked());
}

void ExperimentForm::fillDevices() {
    for (const backend::DeviceInfo& device : m_context.devices) {
        const QString id = QString::fromStdString(device.id);
        const QString kind = id == QLatin1String("cpu") ? tr("CPU") : id.toUpper();
        const QString cores = device.cores == 1 ? tr("1 core") : tr("%1 cores").arg(device.cores);
        m_device->addItem(kind + QStringLiteral(", ") + (device.usable ? cores : tr("not usable")), id);
        const int row = m_device->count() - 1;
        const QString about = QString::fromStdString(device.usable ? device.name : device.text);
        m_device->setItemData(row, about, Qt::ToolTipRole);
        if (auto* model = qobject_cast<QStandardItemModel*>(m_device->model()); model != nullptr && !device.usable) {
            model->item(row)->setEnabled(false);
        }
    }
    deviceChanged();
}

const backend::DeviceInfo* ExperimentForm::chosenDevice() const {
    const std::string id = m_device->currentData().toString().toStdString();
    const auto found = std::ranges::find(m_context.devices, id, &backend::DeviceInfo::id);
    return found == m_context.devices.end() ? nullptr : &*found;
}

void ExperimentForm::deviceChanged() {
    if (const backend::DeviceInfo* device = chosenDevice()) {
        m_policy->setDevice(*device);
        m_device->setToolTip(QString::fromStdString(device->usable ? device->name : device->text));
    }
    changed();
}

void ExperimentForm::sourceChanged() {
    if (!m_setting) {
        m_advanced->setImageSize(dataSource() == kSample ? kSampleImageSize : kPhotographSize);
    }
    changed();
}

void ExperimentForm::policyChosen() {
    m_advanced->setPolicy(m_policy->policy());
    changed();
    emit policyChanged(m_policy->policy());
}

QString ExperimentForm::dataSource() const {
    return m_source->source();
}

void ExperimentForm::setDataSource(const QString& source) {
    m_source->setSource(source);
}

values::ExperimentConfig ExperimentForm::config() const {
    values::ExperimentConfig config;
    config.data = dataSource().toStdString();
    config.policy = m_policy->policy();
    config.batchSize = readInt(m_batch->currentText()).value_or(config.batchSize);
    config.device = m_device->count() > 0 ? m_device->currentData().toString().toStdString() : config.device;
    config.epochs = m_epochs->value();
    m_advanced->read(config);
    return config;
}

void ExperimentForm::setConfig(const values::ExperimentConfig& config) {
    m_setting = true;
    m_source->setSource(QString::fromStdString(config.data));
    m_policy->setPolicy(config.policy);
    m_batch->setCurrentText(QString::number(config.batchSize));
    const int device = m_device->findData(QString::fromStdString(config.device));
    m_device->setCurrentIndex(std::max(device, 0));
    m_epochs->setValue(config.epochs);
    m_advanced->show(config);
    m_setting = false;
    changed();
}

bool ExperimentForm::keepsCheckpoints() const {
    return m_advanced->keepsCheckpoints();
}

void ExperimentForm::setKeepsCheckpoints(bool keeps) {
    m_advanced->setKeepsCheckpoints(keeps);
}

std::vector<values::FieldProblem> ExperimentForm::problems() const {
    std::vector<values::FieldProblem> problems;
    if (!readInt(m_batch->currentText())) {
        problems.push_back(notANumber("batch_size", m_batch->currentText(), QStringLiteral("32")));
    }
    for (values::FieldProblem& problem : m_advanced->problems()) {
        problems.push_back(std::move(problem));
    }
    for (values::FieldProblem& problem : values::problemsOf(config())) {
        problems.push_back(std::move(problem));
    }
    if (const backend::DeviceInfo* device = chosenDevice(); device != nullptr && !device->usable) {
        problems.push_back({"device", device->text});
    } else if (device != nullptr && !m_policy->isSupported(m_policy->policy())) {
        problems.push_back({"policy", tr("%1 does not run on this device: choose another policy or device.")
                                          .arg(policyName(m_policy->policy()))
                                          .toStdString()});
    }
    if (m_said) {
        problems.push_back(*m_said);
    }
    return problems;
}

void ExperimentForm::changed() {
    if (m_setting) {
        return;
    }
    m_said.reset();
    m_forecaster->forgetLargestBatch();
    m_largestBatch->setEnabled(true);
    const values::ExperimentConfig now = config();
    showProblems();
    m_warnings->setSentences(values::warningsOf(now));
    askForMemory(now);
    const auto known = counts();
    const int cores = chosenDevice() != nullptr ? chosenDevice()->cores : 1;
    m_controls->setPlan(
        planSentence(now, known ? std::optional(known->train) : std::nullopt, m_times.estimate(now, cores)));
    if (std::pair announced(dataSource(), now.imageSize); announced != m_announced) {
        m_announced = std::move(announced);
        emit dataSourceChanged(m_announced.first, m_announced.second);
    }
    emit settingsChanged();
}

void ExperimentForm::showProblems() {
    const auto problems = this->problems();
    for (const auto& [key, field] : m_fields) {
        const auto problem = std::ranges::find(problems, key.toStdString(), &values::FieldProblem::field);
        field->setProblem(problem == problems.end() ? QString() : QString::fromStdString(problem->sentence));
        if (problem != problems.end() && m_advanced->isAncestorOf(field)) {
            setAdvancedShown(true);
        }
    }
    QString reason;
    if (!problems.empty()) {
        const FormField* first = field(QString::fromStdString(problems.front().field));
        reason = first != nullptr ? tr("Start waits for “%1” to be put right.").arg(first->name())
                                  : QString::fromStdString(problems.front().sentence);
    }
    m_controls->setProblem(reason);
}

void ExperimentForm::showProblem(const QString& field, const QString& sentence) {
    m_said = values::FieldProblem{field.toStdString(), sentence.toStdString()};
    showProblems();
}

void ExperimentForm::setCounts(const QString& source, const values::SetCounts& counts) {
    m_counts[source] = counts;
    changed();
}

std::optional<values::SetCounts> ExperimentForm::counts() const {
    const auto known = m_counts.find(dataSource());
    return known == m_counts.end() ? std::nullopt : std::optional(known->second);
}

void ExperimentForm::askForMemory(const values::ExperimentConfig& config, bool anew) {
    if (!problems().empty()) { // of half a number nobody wants to know
        m_forecaster->cancel();
        m_memory->clear();
        return;
    }
    m_forecaster->request(config, counts(), anew);
}

void ExperimentForm::findLargestBatch() {
    m_largestBatch->setEnabled(false); // until it is found, or the experiment changes
    m_forecaster->findLargestBatch(config(), counts());
}

void ExperimentForm::takeLargestBatch(const MemoryForecast& found) {
    m_largestBatch->setEnabled(true);
    const qint64 batch = found.largestBatch.value_or(0);
    if (batch > 0) {
        m_batch->setCurrentText(QString::number(batch));
        return;
    }
    showProblem(QStringLiteral("batch_size"),
                found.trouble.isEmpty()
                    ? tr("Not even one image fits into the free memory: choose a smaller image size under Advanced, "
                         "or raise the memory limit.")
                    : found.trouble);
}

void ExperimentForm::rememberTimes(const values::ExperimentConfig& config, double stepMilliseconds,
                                   std::int64_t peakBytes) {
    m_times.remember(config, stepMilliseconds, peakBytes);
    changed();
}

void ExperimentForm::setState(TrainingSession::State state) {
    m_controls->setState(state);
    const bool idle = state == TrainingSession::State::Idle;
    m_memory->setHeldByARun(!idle);
    if (idle) {
        askForMemory(config(), true); // what the run held is free again
    }
}

void ExperimentForm::setBusyElsewhere(const QString& reason) {
    m_controls->setBusyElsewhere(reason);
}

void ExperimentForm::requestStart() {
    m_said.reset();
    showProblems();
    if (problems().empty() && m_controls->startButton()->isEnabled()) {
        emit startRequested(config());
    }
}

void ExperimentForm::focusStart() {
    m_controls->startButton()->setFocus(Qt::OtherFocusReason);
}

} // namespace halfstep::ui
