#include "ui/bridge/measured_sweep.h"
#include "engine/analysis/sweep_estimate.h"
#include <utility>

namespace halfstep::ui {

namespace {

MeasuredSweepPtr complete(const std::shared_ptr<MeasuredSweep>& made, values::Sweep sweep) {
    made->cellRoundsLeft = analysis::cellRoundsLeft(sweep);
    made->secondsLeft = analysis::secondsLeft(sweep);
    made->sweep = std::move(sweep);
    return made;
}

} // namespace

MeasuredSweepPtr measuredSweep(values::Sweep sweep) {
    auto made = std::make_shared<MeasuredSweep>();
    made->figures = analysis::figuresOf(sweep);
    return complete(made, std::move(sweep));
}

MeasuredSweepPtr measuredSweep(const MeasuredSweep& before, std::size_t cell, const values::SweepCell& state) {
    auto made = std::make_shared<MeasuredSweep>();
    made->figures = before.figures;
    values::Sweep sweep = before.sweep;
    sweep.cells.at(cell) = state;
    values::Sweep part;
    part.config = sweep.config;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        if (sweep.cells[i].key.batchSize == state.key.batchSize) {
            part.cells.push_back(sweep.cells[i]);
            places.push_back(i);
        }
    }
    const std::vector<analysis::CellFigures> figures = analysis::figuresOf(part);
    for (std::size_t i = 0; i < places.size(); ++i) {
        made->figures[places[i]] = figures[i];
    }
    return complete(made, std::move(sweep));
}

} // namespace halfstep::ui
