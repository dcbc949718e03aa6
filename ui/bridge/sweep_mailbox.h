#pragma once
#include "ui/bridge/measured_sweep.h"
#include "ui/bridge/training_session.h"
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

namespace halfstep::ui {

/// Where the measuring thread leaves what a sweep reports and the GUI thread fetches it. Only the newest of each kind
/// is kept, notices apart: a page shows how things stand, and the history has everything.
///
/// What the measurements say is worked out here, on the measuring thread between two cells, where it can disturb no
/// step that is timed.
class SweepMailbox {
public:
    using Ending = std::variant<MeasuredSweepPtr, RunFailure>;

    /// The measuring thread's.
    void put(const values::SweepEvent& event);
    void end(Ending ending);

    struct Content {
        std::optional<values::DataProgress> preparing{};
        std::vector<values::Notice> notices{};
        MeasuredSweepPtr sweep{}; ///< null if nothing has changed
        std::optional<values::SweepStep> step{};
        std::optional<Ending> ending{}; ///< set once: nothing follows
    };
    /// Everything since the last call.
    Content take();

private:
    void publish(MeasuredSweepPtr sweep);

    MeasuredSweepPtr m_sweep; ///< the measuring thread's alone
    std::mutex m_mutex;
    Content m_content;
};

} // namespace halfstep::ui
