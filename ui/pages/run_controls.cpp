#include "ui/pages/run_controls.h"
#include "ui/widgets/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace halfstep::ui {

using State = TrainingSession::State;

RunControls::RunControls(QWidget* parent)
    : QWidget(parent),
      m_sentence(new QLabel),
      m_start(new QPushButton(tr("Start"))),
      m_pause(new QPushButton(tr("Pause"))),
      m_stop(new QPushButton(tr("Stop"))) {
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
    m_sentence->setMinimumHeight(6 * kGrid); // three lines, so that the buttons stay where they are
    m_start->setProperty("primary", true);
    m_start->setToolTip(tr("Start the experiment (Ctrl+Return)"));
    m_pause->setToolTip(tr("Hold the run after its current step, or go on (Ctrl+P)"));
    m_stop->setToolTip(tr("End the run after its current step and keep it (Ctrl+.)"));
    m_start->setMinimumHeight(4 * kGrid);
    connect(m_start, &QPushButton::clicked, this, &RunControls::startRequested);
    connect(m_pause, &QPushButton::clicked, this, &RunControls::pauseToggled);
    connect(m_stop, &QPushButton::clicked, this, &RunControls::stopRequested);

    auto* row = new QHBoxLayout;
    row->setSpacing(kGrid);
    row->addWidget(m_pause, 1);
    row->addWidget(m_stop, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(m_sentence);
    layout->addWidget(m_start);
    layout->addLayout(row);
    refresh();
}

QString RunControls::sentence() const {
    return m_sentence->text();
}

void RunControls::refresh() {
    const bool idle = m_state == State::Idle;
    QString sentence = !m_busyElsewhere.isEmpty() ? m_busyElsewhere : m_problem.isEmpty() ? m_plan : m_problem;
    if (m_state == State::Stopping) {
        sentence = tr("Ending the run after this step…");
    } else if (m_state == State::Paused) {
        sentence = tr("The run is paused: go on with it, or stop it to start another.");
    } else if (m_state == State::Running) {
        sentence = tr("A run is going on: stop it to start another.");
    }
    m_sentence->setText(sentence);
    const QString role = idle && m_busyElsewhere.isEmpty() && !m_problem.isEmpty() ? QStringLiteral("danger")
                                                                                   : QStringLiteral("caption");
    if (m_sentence->property("role") != role) {
        m_sentence->setProperty("role", role);
        m_sentence->style()->unpolish(m_sentence);
        m_sentence->style()->polish(m_sentence);
    }
    // The focus stays at these buttons: Qt would send it to the next page's first control.
    const bool startHadFocus = m_start->hasFocus();
    const bool pauseHadFocus = m_pause->hasFocus() || m_stop->hasFocus();
    m_start->setEnabled(idle && m_problem.isEmpty() && m_busyElsewhere.isEmpty());
    m_start->setAccessibleDescription(sentence);
    m_pause->setEnabled(m_state == State::Running || m_state == State::Paused);
    m_pause->setText(m_state == State::Paused ? tr("Go on") : tr("Pause"));
    m_stop->setEnabled(m_state == State::Running || m_state == State::Paused);
    if (startHadFocus && !idle) {
        m_pause->setFocus(Qt::OtherFocusReason);
    } else if (pauseHadFocus && idle) {
        m_start->setFocus(Qt::OtherFocusReason);
    }
}

} // namespace halfstep::ui
