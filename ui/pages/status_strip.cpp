#include "ui/pages/status_strip.h"
#include "ui/format/format.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>

namespace halfstep::ui {

using State = TrainingSession::State;

namespace {

constexpr int kBarSteps = 1000;
constexpr int kUsageMilliseconds = 1000;

/// A label as wide as the longest text it will show.
QLabel* labelFor(const QString& longest, Qt::Alignment alignment = Qt::AlignLeft) {
    auto* label = new QLabel;
    label->setAlignment(alignment | Qt::AlignVCenter);
    label->ensurePolished();
    label->setFixedWidth(label->fontMetrics().horizontalAdvance(longest) + kGrid);
    return label;
}

QString textOf(State state, const std::optional<LiveRun>& run) {
    switch (state) {
    case State::Stopping:
        return StatusStrip::tr("Ending");
    case State::Paused:
        return StatusStrip::tr("Paused");
    case State::Running:
        return !run || !run->plan() ? StatusStrip::tr("Preparing")
               : run->validating()  ? StatusStrip::tr("Validating")
                                    : StatusStrip::tr("Running");
    case State::Idle:
        break;
    }
    if (!run || !run->summary()) {
        return StatusStrip::tr("Ready");
    }
    switch (run->summary()->status) {
    case values::RunStatus::Finished:
        return StatusStrip::tr("Finished");
    case values::RunStatus::Stopped:
        return StatusStrip::tr("Stopped");
    case values::RunStatus::Diverged:
        return StatusStrip::tr("Diverged");
    case values::RunStatus::Interrupted:
        return StatusStrip::tr("Interrupted");
    case values::RunStatus::Running:
        return StatusStrip::tr("Elsewhere");
    case values::RunStatus::Failed:
        break;
    }
    return StatusStrip::tr("Failed");
}

QString progressOf(const std::optional<LiveRun>& run) {
    if (!run) {
        return {};
    }
    if (!run->plan()) {
        return run->preparing() ? QString::fromStdString(run->preparing()->activity) : QString();
    }
    const int epoch = run->steps().empty() ? 1 : run->steps().back().epoch;
    return StatusStrip::tr("epoch %1/%2").arg(epoch).arg(run->plan()->epochs);
}

double shareOf(const std::optional<LiveRun>& run) {
    if (run && !run->plan() && run->preparing() && run->preparing()->total > 0) {
        return static_cast<double>(run->preparing()->done) / static_cast<double>(run->preparing()->total);
    }
    return run ? run->shareDone() : 0;
}

QColor dotColour(State state, const std::optional<LiveRun>& run, const Theme& theme) {
    if (state == State::Running) {
        return theme.success;
    }
    if (state != State::Idle) {
        return theme.warning;
    }
    const bool trouble = run && run->summary() && run->summary()->status != values::RunStatus::Finished &&
                         run->summary()->status != values::RunStatus::Stopped;
    return trouble ? theme.danger : theme.mutedText;
}

} // namespace

StatusStrip::StatusStrip(int cores, std::uint64_t memoryBytes, QWidget* parent)
    : QWidget(parent),
      m_usage(cores),
      m_memoryBytes(memoryBytes),
      m_theme(themeFor(ThemeKind::Light)),
      m_dot(new QLabel(QStringLiteral("●"))),
      m_stateText(labelFor(tr("Preparing…"))),
      m_progressText(labelFor(tr("Drawing the sample…"))),
      m_bar(new QProgressBar),
      m_share(labelFor(QStringLiteral("100 %"), Qt::AlignRight)),
      m_left(labelFor(tr("ETA less than a second"))),
      m_cpu(labelFor(QStringLiteral("CPU 100 %"), Qt::AlignRight)),
      m_memory(labelFor(tr("memory 999 MB / 9.9 TB"), Qt::AlignRight)) {
    setObjectName(QStringLiteral("statusStrip"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(4 * kGrid);
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(24 * kGrid);
    m_bar->setAccessibleName(tr("Progress of the run"));
    m_cpu->setToolTip(tr("Share of all cores that this program uses"));
    m_memory->setToolTip(tr("Memory of this program / of the machine"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 0, 2 * kGrid, 0);
    layout->setSpacing(kGrid);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_dot), static_cast<QWidget*>(m_stateText), static_cast<QWidget*>(m_progressText),
          static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_share), static_cast<QWidget*>(m_left)}) {
        layout->addWidget(widget);
    }
    layout->addStretch();
    layout->addWidget(m_cpu);
    layout->addWidget(m_memory);
    connect(&m_timer, &QTimer::timeout, this, &StatusStrip::showUsage);
    m_timer.start(kUsageMilliseconds);
    showUsage();
    showRun(State::Idle, std::nullopt);
}

void StatusStrip::setTheme(const Theme& theme) {
    m_theme = theme;
}

void StatusStrip::showRun(State state, const std::optional<LiveRun>& run) {
    m_state = state;
    showDot(dotColour(state, run, m_theme));
    m_stateText->setText(textOf(state, run));
    m_progressText->setText(progressOf(run));
    const double share = shareOf(run);
    m_bar->setValue(static_cast<int>(share * kBarSteps));
    m_bar->setVisible(run.has_value());
    m_share->setText(run ? percent(share, 0) : QString());
    const auto left = run && state != State::Idle ? run->secondsLeft() : std::nullopt;
    m_left->setText(left ? tr("ETA %1").arg(duration(*left)) : QString());
}

void StatusStrip::showSweep(SweepSession::State state, qint64 done, qint64 total,
                            const std::optional<double>& secondsLeft) {
    const bool running = state == SweepSession::State::Running;
    showDot(running ? m_theme.success : m_theme.warning);
    m_stateText->setText(state == SweepSession::State::Paused     ? tr("Paused")
                         : state == SweepSession::State::Stopping ? tr("Stopping…")
                         : total == 0                             ? tr("Preparing…")
                                                                  : tr("Measuring"));
    m_progressText->setText(total == 0 ? tr("sweep") : tr("sweep %1/%2").arg(done).arg(total));
    const double share = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
    m_bar->setValue(static_cast<int>(share * kBarSteps));
    m_bar->setVisible(true);
    m_share->setText(percent(share, 0));
    m_left->setText(running && secondsLeft ? tr("ETA %1").arg(duration(*secondsLeft)) : QString());
}

void StatusStrip::showDot(const QColor& colour) {
    QPalette dot = m_dot->palette();
    if (dot.color(QPalette::WindowText) != colour) {
        dot.setColor(QPalette::WindowText, colour);
        m_dot->setPalette(dot);
    }
}

QString StatusStrip::stateText() const {
    return m_stateText->text();
}

void StatusStrip::showUsage() {
    const Usage usage = m_usage.read();
    m_cpu->setText(tr("CPU %1").arg(percent(usage.cpuShare, 0)));
    m_memory->setText(tr("memory %1 / %2").arg(bytes(usage.memoryBytes), bytes(m_memoryBytes)));
}

} // namespace halfstep::ui
