#include "ui/bridge/sweep_mailbox.h"
#include <utility>

namespace halfstep::ui {

void SweepMailbox::put(const values::SweepEvent& event) {
    if (const auto* plan = std::get_if<values::SweepPlan>(&event)) {
        m_sweep = plan->sweep;
        publish();
        return;
    }
    if (const auto* changed = std::get_if<values::SweepCellChanged>(&event)) {
        m_sweep.cells.at(changed->cell) = changed->state;
        publish();
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

void SweepMailbox::publish() {
    MeasuredSweepPtr measured = measuredSweep(m_sweep); // before the lock: it takes its time
    const std::lock_guard lock(m_mutex);
    m_content.sweep = std::move(measured);
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
