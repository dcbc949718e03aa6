#include "engine/train/run_control.h"

namespace halfstep::train {

void PauseSwitch::pause() {
    const std::lock_guard lock(m_mutex);
    m_paused = true;
}

void PauseSwitch::resume() {
    {
        const std::lock_guard lock(m_mutex);
        m_paused = false;
    }
    m_changed.notify_all();
}

bool PauseSwitch::paused() const {
    const std::lock_guard lock(m_mutex);
    return m_paused;
}

void PauseSwitch::waitWhilePaused(std::stop_token stop) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return !m_paused; });
}

} // namespace halfstep::train
