#pragma once
#include "engine/train/experiment.h"
#include "engine/values/run_event.h"
#include "ui/bridge/training_session.h"
#include <cstddef>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

namespace halfstep::ui {

/// Where the training thread leaves its events and the GUI thread fetches them. Never blocks for longer than moving a
/// record. Of progress and of numerics only the newest is kept; steps and notices are bounded, and a notice says how
/// many were dropped (the history has them all).
class EventMailbox {
public:
    using Ending = std::variant<train::RunOutcome, RunFailure>;

    /// At most so many steps wait; more than an hour of the fastest runs.
    explicit EventMailbox(std::size_t capacity = 200'000) : m_capacity(capacity) {}

    void put(const values::RunEvent& event);
    void end(Ending ending);

    struct Content {
        std::vector<values::RunEvent> events; ///< in the order in which they came
        std::optional<Ending> ending;         ///< set once: nothing follows
    };
    /// Everything since the last call.
    Content take();

private:
    std::mutex m_mutex;
    std::size_t m_capacity;
    std::size_t m_dropped = 0;
    std::vector<values::RunEvent> m_events;
    std::optional<std::size_t> m_numerics; ///< where in m_events the newest record lies
    std::optional<Ending> m_ending;
};

} // namespace halfstep::ui
