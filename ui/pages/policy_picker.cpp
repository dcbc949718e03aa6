#include "ui/pages/policy_picker.h"
#include "ui/format/format.h"
#include "ui/widgets/policy_mark.h"
#include "ui/widgets/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>
#include <algorithm>

namespace halfstep::ui {

namespace {

constexpr int kMark = 14; ///< pixels

QString lineOf(precision::Policy policy) {
    const std::string_view summary = precision::traitsOf(policy).summary;
    return QString::fromUtf8(summary.data(), static_cast<qsizetype>(summary.size()));
}

} // namespace

PolicyPicker::PolicyPicker(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    for (const precision::Policy policy : precision::kPolicies) {
        const bool pure = precision::hasNarrowVariables(precision::traitsOf(policy));
        if (pure && !m_pureCaption) {
            m_pureCaption = new QLabel(tr("To see what goes wrong, all in 16 bits:"));
            m_pureCaption->setProperty("role", "caption");
            layout->addSpacing(kGrid / 2);
            layout->addWidget(m_pureCaption);
        }
        auto* button = new QRadioButton(policyName(policy));
        auto* line = new QLabel(lineOf(policy));
        line->setProperty("role", "caption");
        line->setWordWrap(true);
        line->setContentsMargins(3 * kGrid, 0, 0, 0);
        if (pure) {
            line->hide(); // what it would say stands above
        }
        button->setAccessibleDescription(line->text());
        auto* row = new QHBoxLayout;
        row->addWidget(button, 1);
        auto* mark = new QLabel; // colour and shape, as in every chart
        mark->setPixmap(policyIcon(policy).pixmap(kMark, kMark));
        row->addWidget(mark);
        auto* choice = new QVBoxLayout;
        choice->setSpacing(2);
        choice->addLayout(row);
        choice->addWidget(line);
        layout->addLayout(choice);
        m_choices.push_back({policy, button, line});
        connect(button, &QRadioButton::toggled, this, [this](bool on) {
            if (on) {
                emit policyChanged();
            }
        });
    }
    m_choices.front().button->setChecked(true);
    setFocusProxy(m_choices.front().button);
}

precision::Policy PolicyPicker::policy() const {
    const auto chosen =
        std::ranges::find_if(m_choices, [](const Choice& choice) { return choice.button->isChecked(); });
    return chosen == m_choices.end() ? precision::Policy::Float32 : chosen->policy;
}

void PolicyPicker::setPolicy(precision::Policy policy) {
    std::ranges::find(m_choices, policy, &Choice::policy)->button->setChecked(true);
}

void PolicyPicker::setDevice(const backend::DeviceInfo& device) {
    for (Choice& choice : m_choices) {
        const auto support = std::ranges::find(device.policies, choice.policy, &backend::PolicySupport::policy);
        const bool known = support != device.policies.end();
        const bool supported = known && support->supported;
        const QString said = known ? QString::fromStdString(support->text) : QString();
        choice.button->setEnabled(supported);
        choice.line->setVisible(!supported || !precision::hasNarrowVariables(precision::traitsOf(choice.policy)));
        choice.line->setText(supported ? lineOf(choice.policy) : said.isEmpty() ? tr("not on this device") : said);
        choice.button->setAccessibleDescription(choice.line->text());
        choice.button->setToolTip(said);
    }
}

bool PolicyPicker::isSupported(precision::Policy policy) const {
    return std::ranges::find(m_choices, policy, &Choice::policy)->button->isEnabled();
}

} // namespace halfstep::ui
