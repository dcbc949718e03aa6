#include "app/cli/sweep_table.h"
#include "app/cli/text.h"
#include "engine/analysis/sweep_figures.h"
#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace halfstep::app {
namespace {

using analysis::CellFigures;
using values::SweepCell;

std::string orDash(const std::optional<double>& milliseconds) {
    return milliseconds ? millisecondsText(*milliseconds) : "-";
}

std::string bytesOrDash(const std::optional<std::uint64_t>& bytes) {
    return bytes ? bytesText(*bytes) : "-";
}

std::string speedUpText(const CellFigures& figures) {
    if (!figures.speedUp) {
        return "-";
    }
    const analysis::SpeedUp& speedUp = *figures.speedUp;
    return speedUp.word == "baseline"
               ? speedUp.word
               : fmt::format("{} ({:.2f} to {:.2f})", speedUp.word, speedUp.interval.low, speedUp.interval.high);
}

std::vector<std::string> rowOf(const SweepCell& cell, const CellFigures& figures) {
    return {std::string(precision::traitsOf(cell.key.policy).name),
            fmt::format("{} {}{}{}", cell.key.device, cell.isa.empty() ? cell.key.isa : cell.isa,
                        cell.computedIn.empty() ? "" : ", ", cell.computedIn),
            fmt::format("{}", cell.key.batchSize),
            orDash(figures.median),
            figures.interval ? fmt::format("{} to {}", millisecondsText(figures.interval->low),
                                           millisecondsText(figures.interval->high))
                             : "-",
            figures.imagesPerSecond ? fmt::format("{:.1f}", *figures.imagesPerSecond) : "-",
            orDash(figures.medianWait),
            bytesOrDash(figures.predictedBytes),
            bytesOrDash(figures.peakBytes),
            std::string(nameOf(figures.status)),
            speedUpText(figures)};
}

/// What was left out of the times.
std::string warmUpSentence(const std::vector<CellFigures>& figures) {
    std::int64_t steps = 0, timed = 0;
    double milliseconds = 0;
    for (const CellFigures& cell : figures) {
        steps += cell.warmupSteps;
        timed += cell.timedSteps;
        milliseconds += cell.warmupMilliseconds.value_or(0);
    }
    return fmt::format("{} timed steps; {} warm-up steps, {:.1f} s together, are left out.\n", timed, steps,
                       milliseconds / 1000);
}

} // namespace

std::string sweepText(const values::Sweep& sweep) {
    const std::vector<CellFigures> figures = analysis::figuresOf(sweep);
    std::vector<std::vector<std::string>> rows{{"policy", "device, computes in", "batch", "ms/step", "95 %",
                                                "images/s", "wait ms", "predicted", "peak", "status",
                                                "against the baseline"}};
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        rows.push_back(rowOf(sweep.cells[i], figures[i]));
    }
    std::string text = alignedTable(rows) + warmUpSentence(figures);
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const values::CellKey& key = sweep.cells[i].key;
        if (!figures[i].note.empty()) {
            text += fmt::format("{}, batch {}, {} {}: {}\n", precision::traitsOf(key.policy).name, key.batchSize,
                                key.device, key.isa, figures[i].note);
        }
    }
    return text;
}

} // namespace halfstep::app
