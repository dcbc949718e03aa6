#pragma once
#include "ui/bridge/sweep_session.h"
#include "ui/pages/sweep_form.h"
#include "ui/widgets/card.h"
#include "ui/widgets/theme.h"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace halfstep::ui {

class ElidedLabel;

/// The sweep that can be started: a sentence that says what Start will do, or why it cannot, or how far the sweep is;
/// Start, Pause, Stop; and under them, if opened, the settings.
class SweepPanel : public Card {
    Q_OBJECT

public:
    explicit SweepPanel(const AppContext& context, QWidget* parent = nullptr);

    SweepForm* form() const { return m_form; }
    void setTheme(const Theme& theme);
    void setSettingsShown(bool shown);
    bool settingsShown() const;

    void setState(SweepSession::State state);
    /// What Start will do.
    void setPlan(const QString& sentence);
    /// Why it cannot; empty if it can.
    void setProblem(const QString& sentence);
    /// How far the sweep is; `share` of 1, or below 0 while it is not known.
    void setProgress(const QString& sentence, double share);
    void setDrawCost(const QString& sentence);

    QPushButton* startButton() const { return m_start; }
    QPushButton* pauseButton() const { return m_pause; }
    QPushButton* stopButton() const { return m_stop; }
    QString sentence() const;
    QString drawCost() const;

signals:
    void startRequested();
    void pauseToggled(); ///< pause, or go on
    void stopRequested();

private:
    void refresh();

    SweepSession::State m_state = SweepSession::State::Idle;
    QString m_plan, m_problem, m_progress;
    SweepForm* m_form;
    QToolButton* m_disclosure;
    ElidedLabel* m_sentence;
    QPushButton* m_start;
    QPushButton* m_pause;
    QPushButton* m_stop;
    QProgressBar* m_bar;
    QLabel* m_drawCost;
    QHBoxLayout* m_top;
    QHBoxLayout* m_progressRow;
    Theme m_theme;
};

} // namespace halfstep::ui
