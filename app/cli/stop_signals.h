#pragma once
#include <csignal>
#include <functional>
#include <stop_token>
#include <thread>

namespace halfstep::app {

/// Turns the first Ctrl-C (SIGINT), SIGTERM or SIGHUP into a stop request, and lets the second end the process at
/// once.
///
/// The signals are blocked in this thread and in those that it starts later, and a thread of its own waits for them:
/// no handler, hence nothing global. Make it before other threads start.
class StopSignals {
public:
    /// `announce` is called on the waiting thread, at the first signal.
    explicit StopSignals(std::function<void()> announce);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }
    bool stopped() const { return m_stop.stop_requested(); }

private:
    void wait(const std::stop_token& end);

    std::function<void()> m_announce;
    sigset_t m_signals{};
    sigset_t m_maskBefore{};
    std::stop_source m_stop;
    std::jthread m_thread; ///< last, so that it ends first
};

} // namespace halfstep::app
