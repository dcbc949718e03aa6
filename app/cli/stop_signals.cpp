#include "app/cli/stop_signals.h"
#include "app/cli/exit_code.h"
#include <cstdlib>
#include <ctime>

namespace halfstep::app {
namespace {

bool isIgnored(int signal) {
    struct sigaction current {};
    return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

} // namespace

StopSignals::StopSignals(std::function<void()> announce) : m_announce(std::move(announce)) {
    sigemptyset(&m_signals);
    for (const int signal : {SIGINT, SIGTERM}) {
        // A shell starts background jobs with SIGINT ignored, and an ignored signal is never waited for; someone who
        // sends it to such a job by hand means it.
        std::signal(signal, SIG_DFL);
        sigaddset(&m_signals, signal);
    }
    if (!isIgnored(SIGHUP)) { // nohup asks to go on when the terminal closes
        sigaddset(&m_signals, SIGHUP);
    }
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_maskBefore);
    m_thread = std::jthread([this](const std::stop_token& end) { wait(end); });
}

StopSignals::~StopSignals() {
    m_thread.request_stop();
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_maskBefore, nullptr);
}

void StopSignals::wait(const std::stop_token& end) {
    constexpr timespec kPatience{.tv_sec = 0, .tv_nsec = 50'000'000};
    while (!end.stop_requested()) {
        if (sigtimedwait(&m_signals, nullptr, &kPatience) < 0) {
            continue;
        }
        if (!m_stop.request_stop()) {
            std::_Exit(kInterrupted); // the history has every step that was recorded
        }
        m_announce();
    }
}

} // namespace halfstep::app
