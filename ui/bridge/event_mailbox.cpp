#include "ui/bridge/event_mailbox.h"
#include <fmt/format.h>
#include <utility>

namespace halfstep::ui {

namespace {

bool isProgress(const values::RunEvent& event) {
    return std::holds_alternative<values::DataProgress>(event) ||
           std::holds_alternative<values::ValidationProgress>(event);
}

bool isBounded(const values::RunEvent& event) {
    return std::holds_alternative<values::StepRecord>(event) || std::holds_alternative<values::Notice>(event);
}

} // namespace

void EventMailbox::put(const values::RunEvent& event) {
    const std::lock_guard lock(m_mutex);
    if (isProgress(event) && !m_events.empty() && m_events.back().index() == event.index()) {
        m_events.back() = event;
        return;
    }
    if (std::holds_alternative<values::NumericsRecord>(event)) {
        if (m_numerics) { // each takes 100 kB
            m_events[*m_numerics] = event;
            return;
        }
        m_numerics = m_events.size();
    }
    if (isBounded(event) && m_events.size() >= m_capacity) {
        ++m_dropped;
        return;
    }
    m_events.push_back(event);
}

void EventMailbox::end(Ending ending) {
    const std::lock_guard lock(m_mutex);
    m_ending = std::move(ending);
}

EventMailbox::Content EventMailbox::take() {
    const std::lock_guard lock(m_mutex);
    m_numerics.reset();
    Content content{std::exchange(m_events, {}), std::exchange(m_ending, std::nullopt)};
    if (m_dropped > 0) {
        content.events.push_back(values::Notice{
            values::Severity::Warning,
            fmt::format("The window was too busy to take {} steps; the run's history has them all.", m_dropped)});
        m_dropped = 0;
    }
    return content;
}

} // namespace halfstep::ui
