#include "ui/bridge/measured_sweep.h"
#include "engine/analysis/sweep_estimate.h"
#include <utility>

namespace halfstep::ui {

MeasuredSweepPtr measuredSweep(values::Sweep sweep) {
    auto made = std::make_shared<MeasuredSweep>();
    made->figures = analysis::figuresOf(sweep);
    made->cellRoundsLeft = analysis::cellRoundsLeft(sweep);
    made->secondsLeft = analysis::secondsLeft(sweep);
    made->sweep = std::move(sweep);
    return made;
}

} // namespace halfstep::ui
