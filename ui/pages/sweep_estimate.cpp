#include "ui/pages/sweep_estimate.h"
#include "ui/format/format.h"
#include <QCoreApplication>

namespace halfstep::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("SweepEstimate", text);
}

} // namespace

QString planSentence(const values::SweepConfig& config, const StepTimes& times, int cores) {
    const std::vector<values::CellKey> cells = cellsOf(config);
    double milliseconds = 0;
    std::size_t measured = 0;
    for (const values::CellKey& key : cells) {
        const StepEstimate estimate = times.estimate(experimentOf(config, key), cores);
        milliseconds += estimate.milliseconds;
        measured += estimate.measured && key.isa == "auto" ? 1 : 0; // other sets were not what was remembered
    }
    const int steps = config.steps + config.warmup;
    const QString cellsText = cells.size() == 1 ? tr("1 cell") : tr("%1 cells").arg(cells.size());
    return tr("%1 × %2 × %3 steps: %4, %5.")
        .arg(cellsText, config.repeats == 1 ? tr("1 round") : tr("%1 rounds").arg(config.repeats))
        .arg(steps)
        .arg(aboutDuration(milliseconds * steps * config.repeats / 1000),
             measured == cells.size() ? tr("as measured before")
             : measured > 0           ? tr("partly measured before")
                                      : tr("by a first guess"));
}

void remember(StepTimes& times, const MeasuredSweep& measured) {
    for (std::size_t i = 0; i < measured.figures.size(); ++i) {
        const analysis::CellFigures& figures = measured.figures[i];
        const values::CellKey& key = measured.sweep.cells[i].key;
        if (figures.status == values::CellStatus::Ok && figures.median && key.isa == "auto") {
            times.remember(experimentOf(measured.sweep.config, key), *figures.median,
                           static_cast<std::int64_t>(figures.peakBytes.value_or(0)));
        }
    }
}

} // namespace halfstep::ui
