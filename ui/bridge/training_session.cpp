#include "ui/bridge/training_session.h"
#include "engine/tensor/error.h"
#include "ui/bridge/event_mailbox.h"
#include "ui/bridge/thread_priority.h"
#include <utility>

namespace halfstep::ui {

namespace {

constexpr int kDrainMilliseconds = 100;

/// Every way a run can end, as a value.
template <typename Work>
EventMailbox::Ending runToTheEnd(const Work& work, EventMailbox& mailbox, std::stop_token stop,
                                 train::PauseSwitch& pause) {
    try {
        return work([&](const values::RunEvent& event) { mailbox.put(event); },
                    {.stop = std::move(stop), .pause = &pause});
    } catch (const Cancelled&) {
        return RunFailure{
            .sentence = TrainingSession::tr("Stopped before the first step."), .field = {}, .cancelled = true};
    } catch (const ConfigError& error) {
        return RunFailure{QString::fromUtf8(error.what()), QString::fromStdString(error.field()), false};
    } catch (const std::bad_alloc&) {
        return RunFailure{TrainingSession::tr("The memory of this machine is used up: choose a smaller batch or "
                                              "smaller images, and start again."),
                          QStringLiteral("batch_size"), false};
    } catch (const std::exception& error) {
        return RunFailure{QString::fromUtf8(error.what()), {}, false};
    }
}

} // namespace

TrainingSession::TrainingSession(train::Places places, QObject* parent, RunFunction run, ResumeFunction resume)
    : QObject(parent),
      m_places(std::move(places)),
      m_run(std::move(run)),
      m_resume(std::move(resume)) {
    m_timer.setInterval(kDrainMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &TrainingSession::drain);
}

TrainingSession::~TrainingSession() {
    m_thread.request_stop(); // ~jthread joins
}

bool TrainingSession::start(const values::ExperimentConfig& config) {
    return begin(config, [this, config](const values::EventSink& report, const train::RunControl& control) {
        return m_run(config, m_places, report, control);
    });
}

bool TrainingSession::goOn(std::int64_t run, const values::ExperimentConfig& config) {
    return begin(config, [this, run](const values::EventSink& report, const train::RunControl& control) {
        return m_resume({.run = run}, m_places, report, control);
    });
}

bool TrainingSession::begin(const values::ExperimentConfig& config, Work work) {
    if (active()) {
        return false;
    }
    m_config = config;
    m_mailbox = std::make_shared<EventMailbox>();
    m_pause = std::make_unique<train::PauseSwitch>();
    m_thread =
        std::jthread([work = std::move(work), mailbox = m_mailbox, pause = m_pause.get()](std::stop_token stop) {
            lowerPriorityOfThisThread();
            mailbox->end(runToTheEnd(work, *mailbox, std::move(stop), *pause));
        });
    m_timer.start();
    setState(State::Running);
    emit started(config);
    return true;
}

void TrainingSession::pause() {
    if (m_state == State::Running) {
        m_pause->pause();
        setState(State::Paused);
    }
}

void TrainingSession::resume() {
    if (m_state == State::Paused) {
        m_pause->resume();
        setState(State::Running);
    }
}

void TrainingSession::requestStop() {
    if (active() && m_state != State::Stopping) {
        m_thread.request_stop(); // ends a pause, too
        setState(State::Stopping);
    }
}

void TrainingSession::drain() {
    EventMailbox::Content content = m_mailbox->take();
    if (!content.events.empty()) {
        emit events(content.events);
    }
    if (!content.ending) {
        return;
    }
    m_timer.stop();
    m_thread.join(); // it has left its ending: at most a few instructions away
    setState(State::Idle);
    if (const auto* outcome = std::get_if<train::RunOutcome>(&*content.ending)) {
        emit finished(*outcome);
    } else {
        emit failed(std::get<RunFailure>(*content.ending));
    }
}

void TrainingSession::setState(State state) {
    if (state != m_state) {
        m_state = state;
        emit stateChanged(state);
    }
}

} // namespace halfstep::ui
