#include "ui/pages/form_loss_scale.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include "ui/pages/form_editors.h"
#include "ui/pages/form_field.h"
#include "ui/widgets/theme.h"
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace halfstep::ui {

using precision::LossScaleRule;
using precision::LossScaling;

namespace {

QString textOf(double value) {
    return QString::fromStdString(values::numberText(value));
}

QString textOrNothing(const std::optional<double>& value) {
    return value ? textOf(*value) : QString();
}

/// What is typed, if the field applies and is not left to the rule.
template <typename T>
std::optional<T> typed(const QLineEdit& edit, std::optional<T> (*read)(const QString&)) {
    return edit.isEnabled() && !edit.text().trimmed().isEmpty() ? read(edit.text()) : std::nullopt;
}

} // namespace

LossScaleFields::LossScaleFields(QWidget* parent)
    : QWidget(parent),
      m_scaling(choiceBox()),
      m_rule(choiceBox()),
      m_scale(new QLineEdit),
      m_growth(new QLineEdit),
      m_backoff(new QLineEdit),
      m_interval(new QLineEdit) {
    m_scaling->addItem(tr("auto"), static_cast<int>(LossScaling::Auto));
    m_scaling->addItem(tr("dynamic"), static_cast<int>(LossScaling::Dynamic));
    m_scaling->addItem(tr("fixed"), static_cast<int>(LossScaling::Fixed));
    m_scaling->addItem(tr("off"), static_cast<int>(LossScaling::Off));
    m_scaling->setToolTip(tr("The loss is multiplied by a scale, so that small gradients do not become 0 in float16. "
                             "Auto: dynamic under mixed_float16, else off, as Keras does it"));
    m_rule->addItem(tr("Keras"), static_cast<int>(LossScaleRule::Keras));
    m_rule->addItem(tr("PyTorch"), static_cast<int>(LossScaleRule::PyTorch));
    m_rule->setToolTip(tr("Whose defaults the scale starts from and moves by"));
    m_scale->setToolTip(tr("The first scale, or the fixed one: a number, or a power of two such as 2^15"));
    m_growth->setToolTip(
        tr("The scale is multiplied by this after so many finite steps in a row as the interval says"));
    m_backoff->setToolTip(tr("The scale is multiplied by this after a step whose gradients were not finite"));
    m_interval->setToolTip(tr("Finite steps in a row before the scale grows"));
    m_fields = {new FormField("loss_scaling", tr("Loss scaling"), m_scaling),
                new FormField("loss_scale_rule", tr("Rule"), m_rule),
                new FormField("loss_scale", tr("Scale"), m_scale),
                new FormField("loss_scale_growth", tr("Growth"), m_growth),
                new FormField("loss_scale_backoff", tr("Back-off"), m_backoff),
                new FormField("loss_scale_interval", tr("Interval"), m_interval)};

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid + kGrid / 2);
    for (FormField* field : m_fields) {
        layout->addWidget(field);
    }
    auto* limits = new QLabel(tr("Both rules: floor 1, finite cap %1.").arg(powerOfTwo(127)));
    limits->setProperty("role", "caption");
    limits->setWordWrap(true);
    layout->addWidget(limits);

    refresh();
    for (QComboBox* box : {m_scaling, m_rule}) {
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            refresh();
            emit changed();
        });
    }
    for (QLineEdit* edit : {m_scale, m_growth, m_backoff, m_interval}) {
        connect(edit, &QLineEdit::textChanged, this, &LossScaleFields::changed);
    }
}

values::LossScaleSettings LossScaleFields::settings() const {
    return {.scaling = static_cast<LossScaling>(m_scaling->currentData().toInt()),
            .rule = static_cast<LossScaleRule>(m_rule->currentData().toInt()),
            .scale = typed(*m_scale, &readLossScale),
            .growthFactor = typed(*m_growth, &readDecimal),
            .backoffFactor = typed(*m_backoff, &readDecimal),
            .growthInterval = typed(*m_interval, &readWhole)};
}

void LossScaleFields::setSettings(const values::LossScaleSettings& settings) {
    const QSignalBlocker quiet(this);
    m_scaling->setCurrentIndex(m_scaling->findData(static_cast<int>(settings.scaling)));
    m_rule->setCurrentIndex(m_rule->findData(static_cast<int>(settings.rule)));
    m_scale->setText(textOrNothing(settings.scale));
    m_growth->setText(textOrNothing(settings.growthFactor));
    m_backoff->setText(textOrNothing(settings.backoffFactor));
    m_interval->setText(settings.growthInterval ? QString::number(*settings.growthInterval) : QString());
    refresh();
}

void LossScaleFields::setPolicy(precision::Policy policy) {
    m_policy = policy;
    refresh();
}

void LossScaleFields::refresh() {
    const auto options = values::lossScalerOptions(
        {.policy = m_policy, .lossScale = {.scaling = static_cast<LossScaling>(m_scaling->currentData().toInt())}});
    m_rule->setEnabled(options.has_value());
    m_scale->setEnabled(options.has_value());
    for (QLineEdit* edit : {m_growth, m_backoff, m_interval}) {
        edit->setEnabled(options && options->dynamic);
    }
    const precision::LossScalerOptions defaults =
        precision::defaultsOf(static_cast<LossScaleRule>(m_rule->currentData().toInt()));
    m_scale->setPlaceholderText(
        QStringLiteral("%1 (%2)").arg(textOf(defaults.initialScale), lossScale(defaults.initialScale)));
    m_growth->setPlaceholderText(textOf(defaults.growthFactor));
    m_backoff->setPlaceholderText(textOf(defaults.backoffFactor));
    m_interval->setPlaceholderText(tr("%1 steps").arg(count(defaults.growthInterval)));
}

std::vector<values::FieldProblem> LossScaleFields::problems() const {
    std::vector<values::FieldProblem> problems;
    const auto check = [&](const char* field, const QLineEdit& edit, bool understood, const char* example) {
        if (edit.isEnabled() && !edit.text().trimmed().isEmpty() && !understood) {
            problems.push_back(notANumber(QLatin1String(field), edit.text(), QLatin1String(example)));
        }
    };
    check("loss_scale", *m_scale, readLossScale(m_scale->text()).has_value(), "32768");
    check("loss_scale_growth", *m_growth, readDecimal(m_growth->text()).has_value(), "2");
    check("loss_scale_backoff", *m_backoff, readDecimal(m_backoff->text()).has_value(), "0.5");
    check("loss_scale_interval", *m_interval, readWhole(m_interval->text()).has_value(), "2000");
    return problems;
}

} // namespace halfstep::ui
