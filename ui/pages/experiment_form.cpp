#include "ui/pages/experiment_form.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include "ui/pages/form_field.h"
#include "ui/pages/policy_picker.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/source_picker.h"
#include "ui/widgets/icon.h"
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>

namespace halfstep::ui {

namespace {

constexpr int kSampleImageSize = 64; ///< small enough that the loss moves within seconds
constexpr int kPhotographSize = 256;
const QString kSample = QStringLiteral("sample");

/// Scrolling the form must not change a number that happens to lie under the mouse.
template <typename Editor>
class CalmWheel : public Editor {
public:
    CalmWheel() { this->setFocusPolicy(Qt::StrongFocus); }

protected:
    void wheelEvent(QWheelEvent* event) override { this->hasFocus() ? Editor::wheelEvent(event) : event->ignore(); }
};

/// Long texts are cut, the form does not grow.
void letShrink(QComboBox* box) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(4);
}

QComboBox* numberChoice(std::initializer_list<int> offered) {
    auto* box = new CalmWheel<QComboBox>;
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    letShrink(box);
    for (const int value : offered) {
        box->addItem(QString::number(value));
    }
    return box;
}

QSpinBox* spinBox(int minimum, int maximum) {
    auto* box = new CalmWheel<QSpinBox>;
    box->setRange(minimum, maximum);
    return box;
}

std::optional<int> readWhole(const QString& text) {
    bool understood = false;
    const int value = text.trimmed().toInt(&understood);
    return understood ? std::optional(value) : std::nullopt;
}

values::FieldProblem notANumber(const char* field, const QString& text, const QString& example) {
    return {field, ExperimentForm::tr("“%1” is no number; write one like %2.").arg(text, example).toStdString()};
}

} // namespace

ExperimentForm::ExperimentForm(const AppContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_times(context.settings),
      m_source(new SourcePicker(context.settings)),
      m_policy(new PolicyPicker),
      m_batch(numberChoice({8, 16, 32, 64, 128, 256})),
      m_device(new CalmWheel<QComboBox>),
      m_epochs(spinBox(1, 10000)),
      m_advancedButton(new QToolButton),
      m_advanced(nullptr),
      m_name(new QLineEdit),
      m_seed(new QLineEdit),
      m_threads(spinBox(0, 1024)),
      m_imageSize(numberChoice({32, 64, 96, 128, 160, 224, 256})),
      m_learningRate(new QLineEdit),
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
    letShrink(m_device);
    fillDevices();
    setConfig({.imageSize = kSampleImageSize});
    connect(m_source, &SourcePicker::sourceChanged, this, &ExperimentForm::sourceChanged);
    connect(m_policy, &PolicyPicker::policyChanged, this, &ExperimentForm::changed);
    connect(m_device, &QComboBox::currentIndexChanged, this, &ExperimentForm::deviceChanged);
    for (QComboBox* box : {m_batch, m_imageSize}) {
        connect(box, &QComboBox::currentTextChanged, this, &ExperimentForm::changed);
    }
    for (QSpinBox* box : {m_epochs, m_threads}) {
        connect(box, &QSpinBox::valueChanged, this, &ExperimentForm::changed);
    }
    for (QLineEdit* edit : {m_name, m_seed, m_learningRate}) {
        connect(edit, &QLineEdit::textChanged, this, &ExperimentForm::changed);
    }
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
    addField(layout, new FormField("batch_size", tr("Batch size"), m_batch));
    addField(layout, new FormField("device", tr("Device"), m_device));
    addField(layout, new FormField("epochs", tr("Epochs"), m_epochs));

    m_advancedButton->setObjectName(QStringLiteral("disclosure"));
    m_advancedButton->setText(tr("Advanced"));
    m_advancedButton->setCheckable(true);
    m_advancedButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_advancedButton->setToolTip(tr("Seed, threads, image size, learning rate, name"));
    connect(m_advancedButton, &QToolButton::toggled, this, &ExperimentForm::setAdvancedShown);
    layout->addWidget(m_advancedButton, 0, Qt::AlignLeft);
    m_advanced = makeAdvanced();
    layout->addWidget(m_advanced);
    layout->addStretch();
    setAdvancedShown(false);
    return fields;
}

QWidget* ExperimentForm::makeAdvanced() {
    m_threads->setSpecialValueText(tr("all cores"));
    m_name->setPlaceholderText(tr("optional"));
    m_name->setMaxLength(200);
    m_seed->setToolTip(tr("Decides the first weights and the order of the photographs, the same for every policy"));
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid + kGrid / 2);
    addField(layout, new FormField("image_size", tr("Image size"), m_imageSize));
    addField(layout, new FormField("learning_rate", tr("Learning rate"), m_learningRate));
    addField(layout, new FormField("seed", tr("Seed"), m_seed));
    addField(layout, new FormField("threads", tr("Threads"), m_threads));
    addField(layout, new FormField("name", tr("Name"), m_name));
    return box;
}

FormField* ExperimentForm::addField(QVBoxLayout* layout, FormField* field) {
    m_fields[field->key()] = field;
    layout->addWidget(field);
    return field;
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
        const QSignalBlocker quiet(m_imageSize);
        m_imageSize->setCurrentText(QString::number(dataSource() == kSample ? kSampleImageSize : kPhotographSize));
    }
    changed();
}

QString ExperimentForm::dataSource() const {
    return m_source->source();
}

void ExperimentForm::setDataSource(const QString& source) {
    m_source->setSource(source);
}

values::ExperimentConfig ExperimentForm::config() const {
    values::ExperimentConfig config;
    config.name = m_name->text().trimmed().toStdString();
    config.data = dataSource().toStdString();
    config.policy = m_policy->policy();
    config.batchSize = readWhole(m_batch->currentText()).value_or(config.batchSize);
    config.device = m_device->count() > 0 ? m_device->currentData().toString().toStdString() : config.device;
    config.epochs = m_epochs->value();
    config.imageSize = readWhole(m_imageSize->currentText()).value_or(config.imageSize);
    bool understood = false;
    const qulonglong seed = m_seed->text().trimmed().toULongLong(&understood);
    config.seed = understood ? seed : config.seed;
    config.threads = m_threads->value();
    config.learningRate = readDecimal(m_learningRate->text()).value_or(config.learningRate);
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
    m_imageSize->setCurrentText(QString::number(config.imageSize));
    m_seed->setText(QString::number(config.seed));
    m_threads->setValue(config.threads);
    m_learningRate->setText(QString::fromStdString(values::numberText(config.learningRate)));
    m_name->setText(QString::fromStdString(config.name));
    m_setting = false;
    changed();
}

std::vector<values::FieldProblem> ExperimentForm::problems() const {
    std::vector<values::FieldProblem> problems;
    if (!readWhole(m_batch->currentText())) {
        problems.push_back(notANumber("batch_size", m_batch->currentText(), QStringLiteral("32")));
    }
    if (!readWhole(m_imageSize->currentText())) {
        problems.push_back(notANumber("image_size", m_imageSize->currentText(), QStringLiteral("256")));
    }
    if (!readDecimal(m_learningRate->text())) {
        problems.push_back(notANumber("learning_rate", m_learningRate->text(), QStringLiteral("0.001")));
    }
    bool understood = false;
    static_cast<void>(m_seed->text().trimmed().toULongLong(&understood));
    if (!understood) {
        problems.push_back(notANumber("seed", m_seed->text(), QStringLiteral("1")));
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
    const values::ExperimentConfig now = config();
    showProblems();
    const auto known = m_trainPictures.find(dataSource());
    const int cores = chosenDevice() != nullptr ? chosenDevice()->cores : 1;
    m_controls->setPlan(planSentence(now,
                                     known == m_trainPictures.end() ? std::nullopt : std::optional(known->second),
                                     m_times.estimate(now, cores)));
    if (std::pair announced(dataSource(), now.imageSize); announced != m_announced) {
        m_announced = std::move(announced);
        emit dataSourceChanged(m_announced.first, m_announced.second);
    }
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

void ExperimentForm::setTrainPictures(const QString& source, std::int64_t pictures) {
    m_trainPictures[source] = pictures;
    changed();
}

void ExperimentForm::rememberTimes(const values::ExperimentConfig& config, double stepMilliseconds,
                                   std::int64_t peakBytes) {
    m_times.remember(config, stepMilliseconds, peakBytes);
    changed();
}

void ExperimentForm::setState(TrainingSession::State state) {
    m_controls->setState(state);
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
