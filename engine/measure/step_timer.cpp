#include "engine/measure/step_timer.h"
#include <algorithm>
#include <numeric>

namespace halfstep::measure {
namespace {

double millisecondsOf(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

} // namespace

void StepTimer::begin() {
    std::ranges::fill(m_step, 0.0);
    m_next = 0;
    m_begin = m_last = Clock::now();
}

void StepTimer::lap(std::string_view layer, std::string_view operation) {
    const Clock::time_point now = Clock::now();
    const auto isIt = [&](const Part& part) { return part.layer == layer && part.operation == operation; };
    if (m_next >= m_parts.size() || !isIt(m_parts[m_next])) {
        const auto found = std::ranges::find_if(m_parts, isIt);
        if (found == m_parts.end()) {
            // A part that only some steps have: the ones before had none of it.
            m_parts.push_back({std::string(layer), std::string(operation), std::vector<double>(m_kept, 0.0)});
            m_step.push_back(0);
            m_next = m_parts.size() - 1;
        } else {
            m_next = static_cast<std::size_t>(found - m_parts.begin());
        }
    }
    m_step[m_next++] += millisecondsOf(now - m_last);
    m_last = now;
}

double StepTimer::end() {
    m_total = millisecondsOf(Clock::now() - m_begin);
    return m_total;
}

void StepTimer::keep() {
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        m_parts[i].milliseconds.push_back(m_step[i]);
    }
    m_other.push_back(std::max(m_total - std::accumulate(m_step.begin(), m_step.end(), 0.0), 0.0));
    ++m_kept;
}

std::vector<StepTimer::Part> StepTimer::parts() const {
    std::vector<Part> parts = m_parts;
    parts.push_back({"step", "other", m_other});
    return parts;
}

} // namespace halfstep::measure
