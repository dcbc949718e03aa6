#pragma once
#include "engine/measure/sweep.h"
#include "ui/bridge/measured_sweep.h"
#include "ui/bridge/training_session.h"
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <thread>
#include <variant>

namespace halfstep::ui {

class SweepMailbox;

/// The one door between the window and the engine's sweeps.
///
/// start() measures on a thread of its own; what it reports comes in batches, four times a second, on the GUI thread.
/// For each start() exactly one of finished() and failed() follows, also after requestStop(), and nothing of that
/// sweep after it. The destructor stops it and waits for its current step; nothing is emitted then.
class SweepSession : public QObject {
    Q_OBJECT

public:
    /// A new sweep, or one of the history that is to go on.
    using Task = std::variant<values::SweepConfig, measure::SweepContinuation>;
    /// measure::runSweep and resumeSweep, or a test's own.
    using SweepFunction =
        std::function<values::Sweep(const Task& task, const train::Places& places, const values::SweepSink& report,
                                    const train::RunControl& control)>;
    static values::Sweep runOrResume(const Task& task, const train::Places& places, const values::SweepSink& report,
                                     const train::RunControl& control);
    enum class State { Idle, Running, Paused, Stopping };
    Q_ENUM(State)

    explicit SweepSession(train::Places places, QObject* parent = nullptr, SweepFunction sweep = runOrResume);
    ~SweepSession() override;

    /// False, and nothing happens, if a sweep is going on.
    bool start(const Task& task);
    /// Takes effect between two cells.
    void pause();
    void resume();
    /// The sweep ends after its current step.
    void requestStop();

    State state() const { return m_state; }
    bool active() const { return m_state != State::Idle; }

signals:
    void stateChanged(halfstep::ui::SweepSession::State state);
    /// Until the first cell: opening photographs, trying out convolutions.
    void preparing(const halfstep::values::DataProgress& progress);
    void noticed(const halfstep::values::Notice& notice);
    /// The sweep has begun, or a cell has a round more or cannot run.
    void changed(const halfstep::ui::MeasuredSweepPtr& sweep);
    /// The newest step, at most.
    void stepped(const halfstep::values::SweepStep& step);
    void finished(const halfstep::ui::MeasuredSweepPtr& sweep);
    void failed(const halfstep::ui::RunFailure& failure);

private:
    void drain();
    void setState(State state);

    train::Places m_places;
    SweepFunction m_sweep;
    State m_state = State::Idle;
    QTimer m_timer;
    std::shared_ptr<SweepMailbox> m_mailbox; ///< of the current sweep
    std::unique_ptr<train::PauseSwitch> m_pause;
    std::jthread m_thread; ///< last: it uses everything above
};

} // namespace halfstep::ui
