#pragma once
#include "ui/bridge/profile_session.h"
#include "ui/pages/page.h"
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace halfstep::ui {

class Banner;
class EmptyState;
class WhyView;

/// Why a step takes as long as it does: the experiment of the form, profiled, by itself or against another policy.
class WhyPage : public Page {
    Q_OBJECT

public:
    /// `profile` is the engine's, or a test's own.
    explicit WhyPage(const AppContext& context, QWidget* parent = nullptr,
                     ProfileSession::ProfileFunction profile = measure::profileSteps);
    ~WhyPage() override;

    /// Profiles this configuration, against the policy that is chosen here. Says why not while a run is training.
    void profile(const values::ExperimentConfig& config);
    /// Says why the experiment cannot be profiled.
    void refuse(const QString& sentence);
    /// A run is training, or not any more: its steps and those of a profile would slow each other down. A profile
    /// that is being made gives way.
    void setTraining(bool training);
    /// A sweep is being measured, or not any more: likewise.
    void setSweeping(bool sweeping);

    void setTheme(const Theme& theme) override;
    void exportShown() override;

    ProfileSession* session() const { return m_session; }
    WhyView* view() const { return m_view; }
    Banner* banner() const { return m_banner; }
    QPushButton* button() const { return m_button; }
    EmptyState* empty() const { return m_empty; }
    /// What the profiles are of, or how far one is.
    QString caption() const;

signals:
    /// The experiment of the form shall be profiled: profile() or refuse() follows.
    void profileWanted();

private:
    void buttonPressed();
    void take(const std::vector<values::StepProfile>& profiles);
    void fail(const RunFailure& failure);
    void refresh();
    /// Why nothing can be profiled now; empty if something can.
    QString busyReason() const;

    ProfileSession* m_session;
    QLabel* m_caption;
    QComboBox* m_against;
    QPushButton* m_button;
    Banner* m_banner;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    WhyView* m_view;
    QString m_shown;    ///< what the profiles that show are of; empty if there are none
    QString m_progress; ///< of the one that is being made
    bool m_training = false;
    bool m_sweeping = false;
    bool m_stopping = false;
};

} // namespace halfstep::ui
