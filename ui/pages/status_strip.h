#pragma once
#include "ui/bridge/sweep_session.h"
#include "ui/bridge/system_usage.h"
#include "ui/bridge/training_session.h"
#include "ui/pages/live_run.h"
#include "ui/widgets/theme.h"
#include <QTimer>
#include <QWidget>
#include <optional>

class QLabel;
class QProgressBar;

namespace halfstep::ui {

/// The line at the bottom: state, epoch, progress, time left, and what the program takes of the machine. Every text
/// has its place, so that nothing moves when a number changes.
class StatusStrip : public QWidget {
    Q_OBJECT

public:
    StatusStrip(int cores, std::uint64_t memoryBytes, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showRun(TrainingSession::State state, const std::optional<LiveRun>& run);
    /// A sweep in place of a run; `total` measurements, or 0 while it prepares.
    void showSweep(SweepSession::State state, qint64 done, qint64 total, const std::optional<double>& secondsLeft);
    QString stateText() const;

private:
    void showUsage();
    void showDot(const QColor& colour);

    SystemUsage m_usage;
    std::uint64_t m_memoryBytes;
    Theme m_theme;
    TrainingSession::State m_state = TrainingSession::State::Idle;
    QTimer m_timer;
    QLabel* m_dot;
    QLabel* m_stateText;
    QLabel* m_progressText;
    QProgressBar* m_bar;
    QLabel* m_share;
    QLabel* m_left;
    QLabel* m_cpu;
    QLabel* m_memory;
};

} // namespace halfstep::ui
