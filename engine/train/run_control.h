#pragma once
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace halfstep::train {

/// Holds a run between two steps. Safe from any thread.
class PauseSwitch {
public:
    void pause();
    void resume();
    bool paused() const;
    /// Returns at once unless paused; else when resumed or `stop` is requested.
    void waitWhilePaused(std::stop_token stop);

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    bool m_paused = false;
};

/// How the outside steers a run: looked at once a step.
struct RunControl {
    std::stop_token stop;
    PauseSwitch* pause = nullptr; ///< may be null; outlives the run
};

} // namespace halfstep::train
