#include "app/cli/sweep_table.h"
#include "app/cli/text.h"
#include "engine/report/sweep_tables.h"
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

std::vector<std::string> rowOf(const SweepCell& cell, const CellFigures& figures) {
    return {std::string(precision::traitsOf(cell.key.policy).name),
            fmt::format("{} {}{}{}", cell.key.device, cell.isa.empty() ? cell.key.isa : cell.isa,
                        cell.computedIn.empty() ? "" : ", ", cell.computedIn),
            fmt::format("{}", cell.key.batchSize),
            orDash(figures.median),
            figures.interval ? millisecondsText(*figures.interval) : "-",
            figures.imagesPerSecond ? fmt::format("{:.1f}", *figures.imagesPerSecond) : "-",
            orDash(figures.medianWait),
            bytesOrDash(figures.predictedBytes),
            bytesOrDash(figures.peakBytes),
            std::string(nameOf(figures.status)),
            figures.speedUp ? report::speedUpText(*figures.speedUp) : "-"};
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
    std::string text = alignedTable(rows) + report::warmUpSentence(figures) + '\n';
    for (const std::string& note : report::cellNotes(sweep, figures)) {
        text += note + '\n';
    }
    return text;
}

} // namespace halfstep::app
