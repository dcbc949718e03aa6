#include "ui/bridge/sweep_mailbox.h"
#include <utility>

namespace halfstep::ui {

void SweepMailbox::put(const values::SweepEvent& event) {
    if (const auto* plan = std::get_if<values::SweepPlan>(&event)) {
        publish(measuredSweep(plan->sweep));
        return;
    }
    if (const auto* changed = std::get_if<values::SweepCellChanged>(&event)) {
        publish(measuredSweep(*m_sweep, changed->cell, changed->state));
        return;
    }
    const std::lock_guard lock(m_mutex);
    if (const auto* step = std::get_if<values::SweepStep>(&event)) {
        m_content.step = *step;
    } else if (const auto* progress = std::get_if<values::DataProgress>(&event)) {
        m_content.preparing = *progress;
    } else if (const auto* notice = std::get_if<values::Notice>(&event)) {
        m_content.notices.push_back(*notice);
    }
}

void SweepMailbox::publish(MeasuredSweepPtr sweep) {
    m_sweep = std::move(sweep);
    const std::lock_guard lock(m_mutex);
    m_content.sweep = m_sweep;
    m_content.preparing.reset(); // over
}

void SweepMailbox::end(Ending ending) {
    const std::lock_guard lock(m_mutex);
    m_content.ending = std::move(ending);
}

SweepMailbox::Content SweepMailbox::take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_content, {});
}

} // namespace halfstep::ui
