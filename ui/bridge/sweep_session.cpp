#include "ui/bridge/sweep_session.h"
#include "ui/bridge/run_failure.h"
#include "ui/bridge/sweep_mailbox.h"
#include "ui/bridge/thread_priority.h"
#include <utility>

namespace halfstep::ui {
namespace {

/// Seldom enough that drawing takes nothing worth mentioning from the steps that are timed.
constexpr int kDrainMilliseconds = 250;

} // namespace

values::Sweep SweepSession::runOrResume(const Task& task, const train::Places& places,
                                        const values::SweepSink& report, const train::RunControl& control) {
    if (const auto* config = std::get_if<values::SweepConfig>(&task)) {
        return measure::runSweep(*config, places, report, control);
    }
    return measure::resumeSweep(std::get<measure::SweepContinuation>(task), places, report, control);
}

SweepSession::SweepSession(train::Places places, QObject* parent, SweepFunction sweep)
    : QObject(parent),
      m_places(std::move(places)),
      m_sweep(std::move(sweep)) {
    m_timer.setInterval(kDrainMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &SweepSession::drain);
}

SweepSession::~SweepSession() {
    m_thread.request_stop(); // ~jthread joins
}

bool SweepSession::start(const Task& task) {
    if (active()) {
        return false;
    }
    m_mailbox = std::make_shared<SweepMailbox>();
    m_pause = std::make_unique<train::PauseSwitch>();
    m_thread = std::jthread([this, task, mailbox = m_mailbox, pause = m_pause.get()](const std::stop_token& stop) {
        lowerPriorityOfThisThread();
        const auto report = [&](const values::SweepEvent& event) { mailbox->put(event); };
        try {
            mailbox->end(measuredSweep(m_sweep(task, m_places, report, {.stop = stop, .pause = pause})));
        } catch (...) {
            mailbox->end(failureOfCurrentException(tr("The sweep was stopped before its first step.")));
        }
    });
    m_timer.start();
    setState(State::Running);
    return true;
}

void SweepSession::pause() {
    if (m_state == State::Running) {
        m_pause->pause();
        setState(State::Paused);
    }
}

void SweepSession::resume() {
    if (m_state == State::Paused) {
        m_pause->resume();
        setState(State::Running);
    }
}

void SweepSession::requestStop() {
    if (active() && m_state != State::Stopping) {
        m_thread.request_stop(); // ends a pause, too
        setState(State::Stopping);
    }
}

void SweepSession::drain() {
    const SweepMailbox::Content content = m_mailbox->take();
    if (content.preparing) {
        emit preparing(*content.preparing);
    }
    for (const values::Notice& notice : content.notices) {
        emit noticed(notice);
    }
    if (content.sweep) {
        emit changed(content.sweep);
    }
    if (content.step) {
        emit stepped(*content.step);
    }
    if (!content.ending) {
        return;
    }
    m_timer.stop();
    m_thread.join(); // it has left its ending: at most a few instructions away
    setState(State::Idle);
    if (const auto* sweep = std::get_if<MeasuredSweepPtr>(&*content.ending)) {
        emit finished(*sweep);
    } else {
        emit failed(std::get<RunFailure>(*content.ending));
    }
}

void SweepSession::setState(State state) {
    if (state != m_state) {
        m_state = state;
        emit stateChanged(state);
    }
}

} // namespace halfstep::ui
