#include "ui/pages/form_advanced.h"
#include "engine/values/byte_text.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include "ui/pages/form_editors.h"
#include "ui/pages/form_field.h"
#include "ui/pages/form_loss_scale.h"
#include "ui/widgets/theme.h"
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace halfstep::ui {

using values::OptimizerKind;

namespace {

constexpr int kNumericsLimit = 1'000'000; ///< as values::problemsOf() has it

} // namespace

AdvancedFields::AdvancedFields(QWidget* parent)
    : QWidget(parent),
      m_imageSize(numberChoice({32, 64, 96, 128, 160, 224, 256})),
      m_optimizer(choiceBox()),
      m_learningRate(new QLineEdit),
      m_epsilon(new QLineEdit),
      m_lossScale(new LossScaleFields),
      m_numerics(spinBox(0, kNumericsLimit)),
      m_seed(new QLineEdit),
      m_threads(spinBox(0, 1024)),
      m_memoryLimit(new QLineEdit),
      m_name(new QLineEdit),
      m_checkpoints(new QCheckBox(tr("kept with the run"))) {
    m_optimizer->addItem(tr("Adam"), static_cast<int>(OptimizerKind::Adam));
    m_optimizer->addItem(tr("SGD"), static_cast<int>(OptimizerKind::Sgd));
    m_optimizer->setToolTip(tr("Keras' update rule of that name"));
    m_epsilon->setToolTip(tr("Adam's epsilon: keeps an update finite where the second moment is 0"));
    m_numerics->setAccessibleName(tr("Numbers of the tensors every N steps"));
    m_numerics->setPrefix(tr("every "));
    m_numerics->setSuffix(tr(" steps"));
    m_numerics->setSpecialValueText(tr("never"));
    m_numerics->setToolTip(tr("How often the numbers in every tensor of a step are counted for the page Numerics; "
                              "0: never"));
    m_threads->setSpecialValueText(tr("all cores"));
    m_memoryLimit->setPlaceholderText(tr("none"));
    m_memoryLimit->setToolTip(
        tr("The most that the tensors of a run may take, such as 4 GiB: to play a smaller card"));
    m_name->setPlaceholderText(tr("optional"));
    m_name->setMaxLength(200);
    m_checkpoints->setChecked(true);
    m_checkpoints->setToolTip(tr("After each epoch and at a stop the weights and the optimizer's state are written "
                                 "beside the history, so that the page History can go on with the run"));
    m_seed->setToolTip(tr("Decides the first weights and the order of the photographs, the same for every policy"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid + kGrid / 2);
    const auto add = [&](const char* key, const QString& name, QWidget* editor) {
        m_fields.push_back(new FormField(QLatin1String(key), name, editor));
        layout->addWidget(m_fields.back());
    };
    add("image_size", tr("Image size"), m_imageSize);
    add("optimizer", tr("Optimizer"), m_optimizer);
    add("learning_rate", tr("Learning rate"), m_learningRate);
    add("epsilon", tr("Epsilon"), m_epsilon);
    layout->addWidget(m_lossScale);
    add("numerics_every", tr("Numerics"), m_numerics);
    add("seed", tr("Seed"), m_seed);
    add("threads", tr("Threads"), m_threads);
    add("memory_limit_bytes", tr("Memory limit"), m_memoryLimit);
    add("name", tr("Name"), m_name);
    add("checkpoint", tr("Checkpoints"), m_checkpoints);

    connect(m_imageSize, &QComboBox::currentTextChanged, this, &AdvancedFields::changed);
    connect(m_optimizer, &QComboBox::currentIndexChanged, this, &AdvancedFields::optimizerChanged);
    connect(m_lossScale, &LossScaleFields::changed, this, &AdvancedFields::changed);
    for (QSpinBox* box : {m_numerics, m_threads}) {
        connect(box, &QSpinBox::valueChanged, this, &AdvancedFields::changed);
    }
    for (QLineEdit* edit : {m_learningRate, m_epsilon, m_seed, m_memoryLimit, m_name}) {
        connect(edit, &QLineEdit::textChanged, this, &AdvancedFields::changed);
    }
}

std::vector<FormField*> AdvancedFields::fields() const {
    std::vector<FormField*> all = m_fields;
    all.insert(all.end(), m_lossScale->fields().begin(), m_lossScale->fields().end());
    return all;
}

void AdvancedFields::optimizerChanged() {
    m_epsilon->setEnabled(static_cast<OptimizerKind>(m_optimizer->currentData().toInt()) == OptimizerKind::Adam);
    emit changed();
}

void AdvancedFields::read(values::ExperimentConfig& config) const {
    config.imageSize = readInt(m_imageSize->currentText()).value_or(config.imageSize);
    config.optimizer = static_cast<OptimizerKind>(m_optimizer->currentData().toInt());
    config.learningRate = readDecimal(m_learningRate->text()).value_or(config.learningRate);
    if (m_epsilon->isEnabled()) {
        config.epsilon = readDecimal(m_epsilon->text()).value_or(config.epsilon);
    }
    config.lossScale = m_lossScale->settings();
    config.numericsEvery = m_numerics->value();
    bool understood = false;
    const qulonglong seed = m_seed->text().trimmed().toULongLong(&understood);
    config.seed = understood ? seed : config.seed;
    config.threads = m_threads->value();
    config.memoryLimitBytes = readBytes(m_memoryLimit->text());
    config.name = m_name->text().trimmed().toStdString();
}

void AdvancedFields::show(const values::ExperimentConfig& config) {
    const QSignalBlocker quiet(this);
    const auto text = [](double value) { return QString::fromStdString(values::numberText(value)); };
    m_imageSize->setCurrentText(QString::number(config.imageSize));
    m_optimizer->setCurrentIndex(m_optimizer->findData(static_cast<int>(config.optimizer)));
    m_learningRate->setText(text(config.learningRate));
    m_epsilon->setText(text(config.epsilon));
    m_lossScale->setPolicy(config.policy);
    m_lossScale->setSettings(config.lossScale);
    m_numerics->setValue(static_cast<int>(std::min<std::int64_t>(config.numericsEvery, kNumericsLimit)));
    m_seed->setText(QString::number(config.seed));
    m_threads->setValue(config.threads);
    m_memoryLimit->setText(
        config.memoryLimitBytes ? QString::fromStdString(values::textOfBytes(*config.memoryLimitBytes)) : QString());
    m_name->setText(QString::fromStdString(config.name));
}

bool AdvancedFields::keepsCheckpoints() const {
    return m_checkpoints->isChecked();
}

void AdvancedFields::setKeepsCheckpoints(bool keeps) {
    m_checkpoints->setChecked(keeps);
}

void AdvancedFields::setPolicy(precision::Policy policy) {
    m_lossScale->setPolicy(policy);
}

void AdvancedFields::setImageSize(int side) {
    const QSignalBlocker quiet(this);
    m_imageSize->setCurrentText(QString::number(side));
}

std::vector<values::FieldProblem> AdvancedFields::problems() const {
    std::vector<values::FieldProblem> problems;
    const auto check = [&](const char* field, const QString& text, bool understood, const char* example) {
        if (!understood) {
            problems.push_back(notANumber(QLatin1String(field), text, QLatin1String(example)));
        }
    };
    check("image_size", m_imageSize->currentText(), readInt(m_imageSize->currentText()).has_value(), "256");
    check("learning_rate", m_learningRate->text(), readDecimal(m_learningRate->text()).has_value(), "0.001");
    check("epsilon", m_epsilon->text(), !m_epsilon->isEnabled() || readDecimal(m_epsilon->text()).has_value(),
          "1e-7");
    bool understood = false;
    static_cast<void>(m_seed->text().trimmed().toULongLong(&understood));
    check("seed", m_seed->text(), understood, "1");
    if (const QString text = m_memoryLimit->text().trimmed(); !text.isEmpty() && !readBytes(text)) {
        problems.push_back(
            {"memory_limit_bytes",
             tr("“%1” is no number of bytes; write one like 4 GiB or 500 MB, or nothing.").arg(text).toStdString()});
    }
    for (values::FieldProblem& problem : m_lossScale->problems()) {
        problems.push_back(std::move(problem));
    }
    return problems;
}

} // namespace halfstep::ui
