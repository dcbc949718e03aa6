#pragma once
#include "ui/bridge/training_session.h"
#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace halfstep::ui {

/// The sentence that says what Start will do (or why it cannot), and Start, Pause, Stop.
class RunControls : public QWidget {
    Q_OBJECT

public:
    explicit RunControls(QWidget* parent = nullptr);

    void setPlan(const QString& sentence) {
        m_plan = sentence;
        refresh();
    }
    /// Why the form cannot be started; empty if it can.
    void setProblem(const QString& sentence) {
        m_problem = sentence;
        refresh();
    }
    /// What else is being measured, and would be disturbed; empty if nothing is.
    void setBusyElsewhere(const QString& reason) {
        m_busyElsewhere = reason;
        refresh();
    }
    void setState(TrainingSession::State state) {
        m_state = state;
        refresh();
    }

    QPushButton* startButton() const { return m_start; }
    QPushButton* pauseButton() const { return m_pause; }
    QPushButton* stopButton() const { return m_stop; }
    QString sentence() const;

signals:
    void startRequested();
    void pauseToggled(); ///< pause, or go on
    void stopRequested();

private:
    void refresh();

    TrainingSession::State m_state = TrainingSession::State::Idle;
    QString m_plan;
    QString m_problem;
    QString m_busyElsewhere;
    QLabel* m_sentence;
    QPushButton* m_start;
    QPushButton* m_pause;
    QPushButton* m_stop;
};

} // namespace halfstep::ui
