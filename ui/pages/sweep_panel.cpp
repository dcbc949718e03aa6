#include "ui/pages/sweep_panel.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/icon.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace halfstep::ui {

using State = SweepSession::State;

SweepPanel::SweepPanel(const AppContext& context, QWidget* parent)
    : Card({}, parent),
      m_form(new SweepForm(context)),
      m_disclosure(new QToolButton),
      m_sentence(new ElidedLabel(Qt::ElideRight)),
      m_start(new QPushButton(tr("Start the sweep"))),
      m_pause(new QPushButton(tr("Pause"))),
      m_stop(new QPushButton(tr("Stop"))),
      m_bar(new QProgressBar),
      m_drawCost(new QLabel),
      m_top(new QHBoxLayout),
      m_progressRow(new QHBoxLayout),
      m_theme(themeFor(ThemeKind::Light)) {
    m_bar->setAccessibleName(tr("Progress of the sweep"));
    m_disclosure->setObjectName(QStringLiteral("disclosure"));
    m_disclosure->setText(tr("Sweep"));
    m_disclosure->setCheckable(true);
    m_disclosure->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_disclosure->setToolTip(tr("Policies, batch sizes, instruction sets, steps and rounds of the next sweep"));
    m_sentence->setObjectName(QStringLiteral("sweepSentence"));
    m_sentence->setProperty("role", "caption");
    m_start->setObjectName(QStringLiteral("startSweep"));
    m_start->setProperty("primary", true);
    m_pause->setObjectName(QStringLiteral("pauseSweep"));
    m_pause->setToolTip(tr("Hold the sweep when the cell under way is done, or go on"));
    m_stop->setObjectName(QStringLiteral("stopSweep"));
    m_stop->setToolTip(tr("End the sweep after the current step; what was measured is kept, and it can go on later"));
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 1000);
    m_drawCost->setObjectName(QStringLiteral("drawCost"));
    m_drawCost->setProperty("role", "caption");
    m_drawCost->setToolTip(
        tr("What this window's updating and painting took while the sweep was measured: of one core, "
           "which the steps may have wanted"));
    m_top->setSpacing(kGrid);
    m_top->addWidget(m_disclosure);
    m_top->addWidget(m_sentence, 1);
    m_top->addWidget(m_pause);
    m_top->addWidget(m_stop);
    m_top->addWidget(m_start);
    m_progressRow->setSpacing(2 * kGrid);
    m_progressRow->addWidget(m_bar, 1);
    content()->addLayout(m_top);
    content()->addLayout(m_progressRow);
    content()->addWidget(m_form);

    connect(m_disclosure, &QToolButton::toggled, this, &SweepPanel::setSettingsShown);
    connect(m_start, &QPushButton::clicked, this, &SweepPanel::startRequested);
    connect(m_pause, &QPushButton::clicked, this, &SweepPanel::pauseToggled);
    connect(m_stop, &QPushButton::clicked, this, &SweepPanel::stopRequested);
    m_bar->hide();
    m_drawCost->hide();
    setSettingsShown(true);
    refresh();
}

void SweepPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    setSettingsShown(settingsShown());
}

void SweepPanel::setSettingsShown(bool shown) {
    m_disclosure->setChecked(shown);
    m_disclosure->setIcon(icon(shown ? QStringLiteral("collapse") : QStringLiteral("expand"), m_theme.mutedText));
    m_form->setVisible(shown);
}

bool SweepPanel::settingsShown() const {
    return m_disclosure->isChecked();
}

void SweepPanel::setState(State state) {
    m_state = state;
    refresh();
}

void SweepPanel::setPlan(const QString& sentence) {
    m_plan = sentence;
    refresh();
}

void SweepPanel::setProblem(const QString& sentence) {
    m_problem = sentence;
    refresh();
}

void SweepPanel::setProgress(const QString& sentence, double share) {
    m_progress = sentence;
    m_bar->setRange(0, share < 0 ? 0 : 1000);
    m_bar->setValue(share < 0 ? 0 : static_cast<int>(1000 * share));
    refresh();
}

void SweepPanel::setDrawCost(const QString& sentence) {
    m_drawCost->setText(sentence);
    m_drawCost->setVisible(!sentence.isEmpty());
}

QString SweepPanel::sentence() const {
    return m_state != State::Idle ? m_progress : m_problem.isEmpty() ? m_plan : m_problem;
}

QString SweepPanel::drawCost() const {
    return m_drawCost->text();
}

void SweepPanel::refresh() {
    const bool idle = m_state == State::Idle;
    m_sentence->setFullText(sentence());
    const QString role = idle && !m_problem.isEmpty() ? QStringLiteral("danger") : QStringLiteral("caption");
    if (m_sentence->property("role") != role) {
        m_sentence->setProperty("role", role);
        m_sentence->style()->unpolish(m_sentence);
        m_sentence->style()->polish(m_sentence);
    }
    m_start->setEnabled(idle && m_problem.isEmpty());
    m_start->setToolTip(m_problem.isEmpty() ? m_plan : m_problem);
    m_pause->setVisible(!idle);
    m_stop->setVisible(!idle);
    m_start->setVisible(idle);
    m_pause->setEnabled(m_state == State::Running || m_state == State::Paused);
    m_pause->setText(m_state == State::Paused ? tr("Go on") : tr("Pause"));
    m_stop->setEnabled(m_state == State::Running || m_state == State::Paused);
    m_form->setEnabled(idle);
    m_bar->setVisible(!idle);
    if (idle) { // beside the sentence, which is shorter then
        m_top->insertWidget(m_top->indexOf(m_sentence) + 1, m_drawCost);
    } else {
        m_progressRow->addWidget(m_drawCost);
    }
}

} // namespace halfstep::ui
