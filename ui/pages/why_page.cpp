#include "ui/pages/why_page.h"
#include "ui/charts/step_bar_chart.h"
#include "ui/format/format.h"
#include "ui/pages/why_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/policy_mark.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace halfstep::ui {

namespace {

/// "mixed_float16 · batch 32 · 256 px · cpu, avx2, 2 threads"
QString captionOf(const values::StepProfile& profile) {
    const values::Environment& environment = profile.environment;
    const QString threads =
        environment.threads == 1 ? WhyPage::tr("1 thread") : WhyPage::tr("%1 threads").arg(environment.threads);
    return WhyPage::tr("%1 · batch %2 · %3 px · %4, %5, %6 · %7")
        .arg(policyName(profile.config.policy))
        .arg(profile.config.batchSize)
        .arg(profile.config.imageSize)
        .arg(QString::fromStdString(environment.device), QString::fromStdString(environment.isa), threads,
             milliseconds(profile.unprofiledStep.median));
}

} // namespace

WhyPage::WhyPage(const AppContext& context, QWidget* parent, ProfileSession::ProfileFunction profile)
    : Page(parent),
      m_session(new ProfileSession(context.places, this, std::move(profile))),
      m_caption(new QLabel),
      m_against(new QComboBox),
      m_button(new QPushButton),
      m_banner(new Banner),
      m_stack(new QStackedWidget),
      m_empty(new EmptyState(tr("No profile yet"), {}, tr("Profile this experiment"))),
      m_view(new WhyView(context.settings)) {
    setObjectName(QStringLiteral("whyPage"));
    setAccessibleName(tr("Why"));
    m_caption->setProperty("role", "caption");
    m_against->setObjectName(QStringLiteral("whyAgainst"));
    m_against->setAccessibleName(tr("What the profile is held against"));
    m_against->setToolTip(tr("Another policy whose steps are made in turn, to explain the speed-up"));
    for (const precision::Policy policy : precision::kPolicies) {
        m_against->addItem(policyIcon(policy), tr("against %1").arg(policyName(policy)), static_cast<int>(policy));
    }
    m_against->addItem(tr("by itself"), -1);
    m_button->setObjectName(QStringLiteral("whyProfile"));

    auto* top = new QHBoxLayout;
    top->setSpacing(kGrid);
    top->addWidget(m_caption, 1);
    top->addWidget(m_against);
    top->addWidget(m_button);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);

    connect(m_button, &QPushButton::clicked, this, &WhyPage::buttonPressed);
    connect(m_empty, &EmptyState::actionRequested, this, &WhyPage::profileWanted);
    connect(m_session, &ProfileSession::progress, this, [this](const values::DataProgress& progress) {
        m_progress = QString::fromStdString(progress.activity);
        if (progress.total > 0) {
            m_progress += QStringLiteral(" · %1 / %2").arg(progress.done).arg(progress.total);
        }
        refresh();
    });
    connect(m_session, &ProfileSession::finished, this, &WhyPage::take);
    connect(m_session, &ProfileSession::failed, this, &WhyPage::fail);
    refresh();
}

WhyPage::~WhyPage() = default;

void WhyPage::buttonPressed() {
    if (!m_session->active()) {
        emit profileWanted();
        return;
    }
    m_stopping = true;
    m_session->requestStop();
    refresh();
}

void WhyPage::profile(const values::ExperimentConfig& config) {
    if (m_training || m_sweeping) {
        refuse(m_training
                   ? tr("A run is training, and both would slow each other down: profile when it has ended.")
                   : tr("A sweep is being measured, and a profile would disturb it: profile when it has ended."));
        return;
    }
    std::vector<values::ExperimentConfig> configs{config};
    configs.front().checkpoint.clear(); // a profile keeps nothing
    configs.front().weights.clear();    // what the weights are changes no time
    const int against = m_against->currentData().toInt();
    if (against >= 0 && static_cast<precision::Policy>(against) != config.policy) {
        configs.push_back(configs.front());
        configs.back().policy = static_cast<precision::Policy>(against);
    }
    if (m_session->start(configs)) {
        m_banner->dismiss();
        m_progress = tr("Opening the photographs");
        refresh();
    }
}

void WhyPage::refuse(const QString& sentence) {
    m_banner->showMessage(Banner::Kind::Warning, sentence);
}

void WhyPage::setTraining(bool training) {
    m_training = training;
    if (training && m_session->active()) {
        m_session->requestStop();
    }
    refresh();
}

void WhyPage::setSweeping(bool sweeping) {
    m_sweeping = sweeping;
    refresh();
}

QString WhyPage::busyReason() const {
    return m_training   ? tr("A run is training: profile when it has ended.")
           : m_sweeping ? tr("A sweep is being measured: profile when it has ended.")
                        : QString();
}

void WhyPage::take(const std::vector<values::StepProfile>& profiles) {
    m_stopping = false;
    const auto baseline = profiles.size() > 1 ? std::optional(profiles[1]) : std::nullopt;
    m_view->showProfiles(profiles.front(), baseline);
    m_shown = captionOf(profiles.front());
    m_stack->setCurrentWidget(m_view);
    refresh();
}

void WhyPage::fail(const RunFailure& failure) {
    m_stopping = false;
    m_banner->showMessage(failure.cancelled ? Banner::Kind::Information : Banner::Kind::Error,
                          failure.cancelled && m_training
                              ? tr("The profile was stopped, since a run was started: its steps come first.")
                              : failure.sentence);
    refresh();
}

void WhyPage::refresh() {
    const bool active = m_session->active();
    const QString reason = busyReason();
    m_button->setText(!active      ? tr("Profile this experiment")
                      : m_stopping ? tr("Stopping…")
                                   : tr("Stop the profile"));
    m_button->setEnabled(active ? !m_stopping : reason.isEmpty());
    m_button->setToolTip(reason);
    m_button->setVisible(active || !m_shown.isEmpty()); // the empty page has its own
    m_against->setEnabled(!active);
    m_empty->button()->setEnabled(!active && reason.isEmpty());
    m_empty->setTexts(active ? tr("Profiling…") : tr("No profile yet"),
                      active ? m_progress
                      : !reason.isEmpty()
                          ? reason
                          : tr("Profile the experiment at the left: here stands where one step's time goes, "
                               "layer by layer, what bounds it on this machine, and why another policy is "
                               "faster or is not. It takes a few seconds, and no run is kept."));
    m_caption->setText(active ? m_progress : !reason.isEmpty() && !m_shown.isEmpty() ? reason : m_shown);
}

QString WhyPage::caption() const {
    return m_caption->text();
}

void WhyPage::exportShown() {
    if (m_shown.isEmpty()) {
        m_banner->showMessage(Banner::Kind::Information,
                              tr("There is nothing to export yet: profile the experiment first."));
        return;
    }
    // The chart that has the focus, or the bar.
    ChartPanel* focused = nullptr;
    for (QWidget* widget = focusWidget(); widget != nullptr && focused == nullptr; widget = widget->parentWidget()) {
        focused = qobject_cast<ChartPanel*>(widget);
    }
    (focused != nullptr ? focused : m_view->bar())->askAndExport();
}

void WhyPage::setTheme(const Theme& theme) {
    m_view->setTheme(theme);
}

} // namespace halfstep::ui
