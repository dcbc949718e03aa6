#pragma once
#include "engine/train/experiment.h"
#include "engine/train/resume.h"
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace halfstep::ui {

class EventMailbox;

/// Why a run could not start, or broke off without a summary.
struct RunFailure {
    QString sentence;
    QString field;          ///< JSON name of the setting to mend, if it is one
    bool cancelled = false; ///< the user's own stop, before the first step
};

/// The one door between the window and the Trainer.
///
/// start() runs the experiment on a thread of its own; what it reports comes as batches, ten times a second, on the
/// GUI thread. For each start() exactly one of finished() and failed() follows, also after requestStop(), and no
/// events() after it. The destructor stops the run and waits for its current step; nothing is emitted then.
class TrainingSession : public QObject {
    Q_OBJECT

public:
    /// train::runExperiment, or a test's own.
    using RunFunction =
        std::function<train::RunOutcome(const values::ExperimentConfig& config, const train::Places& places,
                                        const values::EventSink& report, const train::RunControl& control)>;
    /// train::resumeExperiment, or a test's own.
    using ResumeFunction =
        std::function<train::RunOutcome(const train::ResumeRequest& request, const train::Places& places,
                                        const values::EventSink& report, const train::RunControl& control)>;
    enum class State { Idle, Running, Paused, Stopping };
    Q_ENUM(State)

    explicit TrainingSession(train::Places places, QObject* parent = nullptr, RunFunction run = train::runExperiment,
                             ResumeFunction resume = train::resumeExperiment);
    ~TrainingSession() override;

    /// False, and nothing happens, if a run is going on.
    bool start(const values::ExperimentConfig& config);
    /// Goes on with a run of the history, whose settings are `config`, from its last checkpoint: like start().
    bool goOn(std::int64_t run, const values::ExperimentConfig& config);
    void pause();
    void resume();
    /// The run ends after its current step.
    void requestStop();

    State state() const { return m_state; }
    bool active() const { return m_state != State::Idle; }
    const values::ExperimentConfig& config() const { return m_config; }

signals:
    void stateChanged(halfstep::ui::TrainingSession::State state);
    void started(const halfstep::values::ExperimentConfig& config);
    void events(const std::vector<halfstep::values::RunEvent>& batch);
    void finished(const halfstep::train::RunOutcome& outcome);
    void failed(const halfstep::ui::RunFailure& failure);

private:
    using Work = std::function<train::RunOutcome(const values::EventSink& report, const train::RunControl& control)>;
    bool begin(const values::ExperimentConfig& config, Work work);
    void drain();
    void setState(State state);

    train::Places m_places;
    RunFunction m_run;
    ResumeFunction m_resume;
    values::ExperimentConfig m_config;
    State m_state = State::Idle;
    QTimer m_timer;
    std::shared_ptr<EventMailbox> m_mailbox; ///< of the current run
    std::unique_ptr<train::PauseSwitch> m_pause;
    std::jthread m_thread; ///< last: it uses everything above
};

} // namespace halfstep::ui
