#include "ui/pages/sweep_form.h"
#include "engine/values/byte_text.h"
#include "ui/format/format.h"
#include "ui/pages/form_editors.h"
#include "ui/pages/form_field.h"
#include "ui/widgets/policy_mark.h"
#include "ui/widgets/theme.h"
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

namespace halfstep::ui {
namespace {

using precision::Policy;

constexpr int kMark = 16;

/// The numbers of "8, 16 32"; nothing if a part is none.
std::optional<std::vector<int>> readSizes(const QString& text) {
    std::vector<int> sizes;
    QString parts = text;
    for (const QString& part :
         parts.replace(QLatin1Char(','), QLatin1Char(' ')).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto size = readInt(part);
        if (!size) {
            return std::nullopt;
        }
        sizes.push_back(*size);
    }
    return sizes;
}

QString sizesText(const std::vector<int>& sizes) {
    QStringList parts;
    for (const int size : sizes) {
        parts << QString::number(size);
    }
    return parts.join(QStringLiteral(", "));
}

std::vector<std::string> usableDevices(const std::vector<backend::DeviceInfo>& devices) {
    std::vector<std::string> names;
    for (const backend::DeviceInfo& device : devices) {
        if (device.usable) {
            names.push_back(device.id);
        }
    }
    return names.empty() ? std::vector<std::string>{"cpu"} : names;
}

/// "auto", and what all the devices list, each once.
std::vector<std::string> instructionSets(const std::vector<backend::DeviceInfo>& devices) {
    std::vector<std::string> names{"auto"};
    for (const backend::DeviceInfo& device : devices) {
        for (const std::string& isa : device.isas) {
            if (std::ranges::find(names, isa) == names.end()) {
                names.push_back(isa);
            }
        }
    }
    return names;
}

} // namespace

SweepForm::SweepForm(const AppContext& context, QWidget* parent)
    : QWidget(parent),
      m_batchSizes(new QLineEdit),
      m_steps(spinBox(1, 1'000'000)),
      m_warmup(spinBox(0, 1'000'000)),
      m_rounds(spinBox(1, 10'000)),
      m_orderSeed(new QLineEdit),
      m_memoryLimit(new QLineEdit),
      m_input(choiceBox()),
      m_baseline(choiceBox()) {
    m_memoryLimit->setPlaceholderText(tr("as at the left"));
    m_memoryLimit->setToolTip(tr("Tensors may take no more than this, such as 4 GB: so you play a smaller card"));
    m_batchSizes->setToolTip(tr("Images a step, with commas between them: 8, 16, 32, 64"));
    m_warmup->setToolTip(tr("Steps before the timed ones, which do not count"));
    m_rounds->setToolTip(tr("Each round goes through all cells in an order of its own, so that a machine that drifts "
                            "does so for all of them"));
    m_orderSeed->setToolTip(tr("Decides the orders of the rounds"));
    m_input->addItem(tr("photographs"), static_cast<int>(values::SweepInput::Pipeline));
    m_input->addItem(tr("noise that lies ready"), static_cast<int>(values::SweepInput::Synthetic));
    m_input->setMinimumContentsLength(16);
    m_baseline->setToolTip(tr("The policy that the others are compared with"));
    m_baseline->setMinimumContentsLength(14);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    const auto addRow = [&] {
        auto* row = new QHBoxLayout;
        row->setSpacing(2 * kGrid);
        layout->addLayout(row);
        return row;
    };
    addField(addRow(), QStringLiteral("policies"), tr("Policies"), makePolicies(), 1);
    QHBoxLayout* what = addRow();
    addField(what, QStringLiteral("batch_sizes"), tr("Batch sizes"), m_batchSizes, 3);
    const std::vector<std::string> devices = usableDevices(context.devices);
    QWidget* deviceBoxes = makeChoices(m_devices, devices);
    addField(what, QStringLiteral("devices"), tr("Devices"), deviceBoxes);
    m_fields[QStringLiteral("devices")]->setVisible(devices.size() > 1);
    addField(what, QStringLiteral("isas"), tr("Instruction sets"),
             makeChoices(m_isas, instructionSets(context.devices)), 2);
    addField(what, QStringLiteral("baseline"), tr("Compared with"), m_baseline, 1);
    QHBoxLayout* how = addRow();
    addField(how, QStringLiteral("steps"), tr("Timed steps"), m_steps, 1);
    addField(how, QStringLiteral("warmup"), tr("Warm-up steps"), m_warmup, 1);
    addField(how, QStringLiteral("repeats"), tr("Rounds"), m_rounds, 1);
    addField(how, QStringLiteral("order_seed"), tr("Order seed"), m_orderSeed, 1);
    addField(how, QStringLiteral("input"), tr("Pictures"), m_input, 2);
    addField(how, QStringLiteral("memory_limit_bytes"), tr("Memory limit"), m_memoryLimit, 1);

    setConfig({.batchSizes = {8, 16, 32, 64}, .steps = 10, .warmup = 2});
    for (QSpinBox* box : {m_steps, m_warmup, m_rounds}) {
        connect(box, &QSpinBox::valueChanged, this, &SweepForm::changed);
    }
    for (QLineEdit* edit : {m_batchSizes, m_orderSeed, m_memoryLimit}) {
        connect(edit, &QLineEdit::textChanged, this, &SweepForm::changed);
    }
    connect(m_input, &QComboBox::currentIndexChanged, this, &SweepForm::changed);
    connect(m_baseline, &QComboBox::currentIndexChanged, this, &SweepForm::changed);
}

void SweepForm::addField(QHBoxLayout* row, const QString& key, const QString& name, QWidget* editor, int stretch) {
    const auto place = key == QLatin1String("policies") ? FormField::Layout::Beside : FormField::Layout::Above;
    auto* field = new FormField(key, name, editor, place);
    m_fields[key] = field;
    row->addWidget(field, stretch, Qt::AlignTop);
}

QWidget* SweepForm::makePolicies() {
    auto* boxes = new QWidget;
    auto* layout = new QHBoxLayout(boxes);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    for (const Policy policy : precision::kPolicies) {
        auto* box = new QCheckBox(policyName(policy));
        box->setObjectName(QStringLiteral("sweep_") + policyName(policy));
        const std::string_view summary = precision::traitsOf(policy).summary;
        box->setToolTip(QString::fromUtf8(summary.data(), static_cast<qsizetype>(summary.size())));
        auto* mark = new QLabel; // colour and shape, as in every chart
        mark->setPixmap(policyIcon(policy).pixmap(kMark, kMark));
        layout->addWidget(box);
        layout->addWidget(mark);
        layout->addSpacing(2 * kGrid);
        m_policies.push_back({policyName(policy), box});
        connect(box, &QCheckBox::toggled, this, [this] {
            fillBaselines();
            emit changed();
        });
    }
    layout->addStretch();
    boxes->setFocusProxy(m_policies.front().box);
    return boxes;
}

QWidget* SweepForm::makeChoices(std::vector<Choice>& choices, const std::vector<std::string>& names) {
    auto* boxes = new QWidget;
    boxes->setMinimumHeight(28); // as the fields beside it
    auto* layout = new QHBoxLayout(boxes);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid + kGrid / 2);
    for (const std::string& name : names) {
        auto* box = new QCheckBox(QString::fromStdString(name));
        box->setObjectName(QStringLiteral("sweep_") + box->text());
        box->setChecked(choices.empty());
        layout->addWidget(box);
        choices.push_back({box->text(), box});
        connect(box, &QCheckBox::toggled, this, &SweepForm::changed);
    }
    layout->addStretch();
    boxes->setFocusProxy(choices.front().box);
    return boxes;
}

void SweepForm::fillBaselines() {
    const QSignalBlocker quiet(m_baseline);
    const QString before = m_baseline->currentText();
    m_baseline->clear();
    for (std::size_t i = 0; i < m_policies.size(); ++i) {
        if (m_policies[i].box->isChecked()) {
            m_baseline->addItem(policyIcon(precision::kPolicies[i]), m_policies[i].name, static_cast<int>(i));
        }
    }
    m_baseline->setCurrentIndex(std::max(m_baseline->findText(before), 0));
}

values::SweepConfig SweepForm::config(const values::ExperimentConfig& experiment) const {
    values::SweepConfig config;
    config.base = experiment;
    config.base.checkpoint.clear(); // a sweep keeps its measurements only
    config.base.weights.clear();
    config.policies.clear();
    for (std::size_t i = 0; i < m_policies.size(); ++i) {
        if (m_policies[i].box->isChecked()) {
            config.policies.push_back(precision::kPolicies[i]);
        }
    }
    const auto checked = [](const std::vector<Choice>& choices) {
        std::vector<std::string> names;
        for (const Choice& choice : choices) {
            if (choice.box->isChecked()) {
                names.push_back(choice.name.toStdString());
            }
        }
        return names;
    };
    config.devices = checked(m_devices);
    config.isas = checked(m_isas);
    config.batchSizes = readSizes(m_batchSizes->text()).value_or(std::vector<int>{});
    config.steps = m_steps->value();
    config.warmup = m_warmup->value();
    config.repeats = m_rounds->value();
    config.orderSeed = static_cast<std::uint64_t>(readWhole(m_orderSeed->text()).value_or(1));
    config.input = static_cast<values::SweepInput>(m_input->currentData().toInt());
    if (!m_memoryLimit->text().trimmed().isEmpty()) {
        config.base.memoryLimitBytes = readBytes(m_memoryLimit->text());
    }
    config.baseline.policy =
        m_baseline->count() > 0
            ? std::optional(precision::kPolicies[static_cast<std::size_t>(m_baseline->currentData().toInt())])
            : std::nullopt;
    return config;
}

std::optional<std::uint64_t> SweepForm::ownMemoryLimit() const {
    return readBytes(m_memoryLimit->text());
}

void SweepForm::setConfig(const values::SweepConfig& config) {
    const QSignalBlocker quiet(this);
    for (std::size_t i = 0; i < m_policies.size(); ++i) {
        m_policies[i].box->setChecked(std::ranges::find(config.policies, precision::kPolicies[i]) !=
                                      config.policies.end());
    }
    const auto check = [](const std::vector<Choice>& choices, const std::vector<std::string>& names) {
        bool any = false;
        for (const Choice& choice : choices) {
            const bool chosen = std::ranges::find(names, choice.name.toStdString()) != names.end();
            choice.box->setChecked(chosen);
            any = any || chosen;
        }
        choices.front().box->setChecked(any ? choices.front().box->isChecked() : true); // of another machine
    };
    check(m_devices, config.devices);
    check(m_isas, config.isas);
    m_batchSizes->setText(sizesText(config.batchSizes));
    m_steps->setValue(config.steps);
    m_warmup->setValue(config.warmup);
    m_rounds->setValue(config.repeats);
    m_orderSeed->setText(QString::number(config.orderSeed));
    m_input->setCurrentIndex(m_input->findData(static_cast<int>(config.input)));
    m_memoryLimit->setText(config.base.memoryLimitBytes
                               ? QString::fromStdString(values::textOfBytes(*config.base.memoryLimitBytes))
                               : QString());
    fillBaselines();
    if (config.baseline.policy) {
        m_baseline->setCurrentIndex(std::max(m_baseline->findText(policyName(*config.baseline.policy)), 0));
    }
}

std::vector<values::FieldProblem> SweepForm::problems(const values::ExperimentConfig& experiment) const {
    std::vector<values::FieldProblem> problems;
    if (!readSizes(m_batchSizes->text())) {
        problems.push_back({"batch_sizes", tr("“%1” is no list of batch sizes; write one like 8, 16, 32.")
                                               .arg(m_batchSizes->text())
                                               .toStdString()});
    }
    if (const auto seed = readWhole(m_orderSeed->text()); !seed || *seed < 0) {
        problems.push_back(notANumber(QStringLiteral("order_seed"), m_orderSeed->text(), QStringLiteral("1")));
    }
    if (!m_memoryLimit->text().trimmed().isEmpty() && !readBytes(m_memoryLimit->text())) {
        problems.push_back({"memory_limit_bytes", tr("“%1” is no amount of memory; write one like 4 GB, or nothing.")
                                                      .arg(m_memoryLimit->text())
                                                      .toStdString()});
    }
    for (values::FieldProblem& problem : values::problemsOf(config(experiment))) {
        const bool said = std::ranges::find(problems, problem.field, &values::FieldProblem::field) != problems.end();
        if (!said) {
            problems.push_back(std::move(problem));
        }
    }
    return problems;
}

QString SweepForm::showProblems(const values::ExperimentConfig& experiment) {
    const auto problems = this->problems(experiment);
    for (const auto& [key, field] : m_fields) {
        const auto problem = std::ranges::find(problems, key.toStdString(), &values::FieldProblem::field);
        field->setProblem(problem == problems.end() ? QString() : QString::fromStdString(problem->sentence));
    }
    return problems.empty() ? QString() : QString::fromStdString(problems.front().sentence);
}

FormField* SweepForm::field(const QString& key) const {
    const auto found = m_fields.find(key);
    return found == m_fields.end() ? nullptr : found->second;
}

} // namespace halfstep::ui
