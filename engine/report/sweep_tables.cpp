#include "engine/report/sweep_tables.h"
#include "engine/report/figure_text.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace halfstep::report {
namespace {
using analysis::CellFigures;
using values::CellStatus;
using values::SweepCell;

constexpr const char* kAbsent = "-";

std::string orAbsent(const std::optional<double>& milliseconds) {
    return milliseconds ? millisecondsText(*milliseconds) : kAbsent;
}

std::string bytesOrAbsent(const std::optional<std::uint64_t>& bytes) {
    return bytes ? bytesText(*bytes) : kAbsent;
}

const std::string& isaOf(const SweepCell& cell) {
    return cell.isa.empty() ? cell.key.isa : cell.isa;
}

std::string gridText(const CellFigures& figures) {
    if (!figures.median) {
        return figures.status == CellStatus::Oom ? "OOM" : std::string(nameOf(figures.status));
    }
    std::string text = millisecondsText(*figures.median);
    if (figures.interval) {
        text += fmt::format(" ({})", millisecondsText(*figures.interval));
    }
    if (figures.speedUp) {
        text += ", " + figures.speedUp->word;
    }
    return figures.status == CellStatus::Disturbed ? text + ", disturbed" : text;
}

/// The values of one setting in the order in which the cells first have them.
template <typename T, typename Of>
std::vector<T> distinct(const std::vector<std::size_t>& cells, Of of) {
    std::vector<T> values;
    for (const std::size_t cell : cells) {
        if (std::ranges::find(values, of(cell)) == values.end()) {
            values.push_back(of(cell));
        }
    }
    return values;
}

Table gridOf(const values::Sweep& sweep, const SweepFigures& figures, const std::vector<std::size_t>& cells) {
    const auto& list = sweep.cells;
    const SweepCell& first = list[cells.front()];
    Table table{.title = fmt::format("ms per step, {} {}", first.key.device, isaOf(first)),
                .columns = {{"batch size", Align::Right}}};
    const auto policies = distinct<precision::Policy>(cells, [&](std::size_t cell) { return list[cell].key.policy; });
    for (const precision::Policy policy : policies) {
        table.columns.push_back({std::string(precision::traitsOf(policy).name), Align::Right});
    }
    for (const int batch : distinct<int>(cells, [&](std::size_t cell) { return list[cell].key.batchSize; })) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(fmt::format("{}", batch));
        for (const precision::Policy policy : policies) {
            const auto found = std::ranges::find_if(cells, [&](std::size_t cell) {
                return list[cell].key.batchSize == batch && list[cell].key.policy == policy;
            });
            row.push_back(found == cells.end() ? kAbsent : gridText(figures[*found]));
        }
    }
    table.notes = {"Medians with 95 % intervals; OOM: the training does not fit into the memory."};
    return table;
}

std::vector<std::string> rowOf(const SweepCell& cell, const CellFigures& figures) {
    const bool timed = figures.median.has_value();
    return {std::string(precision::traitsOf(cell.key.policy).name),
            cell.key.device,
            isaOf(cell),
            fmt::format("{}", cell.key.batchSize),
            std::string(nameOf(figures.status)),
            orAbsent(figures.median),
            figures.interval ? millisecondsText(*figures.interval) : kAbsent,
            timed ? fmt::format("{} to {}", orAbsent(figures.q25), orAbsent(figures.q75)) : kAbsent,
            figures.imagesPerSecond ? fmt::format("{:.1f}", *figures.imagesPerSecond) : kAbsent,
            timed ? fmt::format("{}", figures.timedSteps) : kAbsent,
            orAbsent(figures.medianWait),
            timed ? fmt::format("{}", figures.warmupSteps) : kAbsent,
            bytesOrAbsent(figures.predictedBytes),
            bytesOrAbsent(figures.peakBytes),
            cell.largestBatch ? fmt::format("{}", *cell.largestBatch) : kAbsent,
            figures.speedUp ? speedUpText(*figures.speedUp) : kAbsent};
}

std::string together(const values::Sweep& sweep, std::string (*write)(const Table&)) {
    const SweepFigures figures = analysis::figuresOf(sweep);
    std::string text;
    for (const Table& table : gridTables(sweep, figures)) {
        text += write(table) + '\n';
    }
    return text + write(cellsTable(sweep, figures)) + '\n' + write(environmentTable(sweep));
}

} // namespace

std::vector<Table> gridTables(const values::Sweep& sweep, const SweepFigures& figures) {
    std::vector<std::pair<std::string, std::string>> places;
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> cellsOf;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const std::pair place(sweep.cells[i].key.device, sweep.cells[i].key.isa);
        if (std::ranges::find(places, place) == places.end()) {
            places.push_back(place);
        }
        cellsOf[place].push_back(i);
    }
    std::vector<Table> tables;
    for (const auto& place : places) {
        tables.push_back(gridOf(sweep, figures, cellsOf[place]));
    }
    return tables;
}

Table cellsTable(const values::Sweep& sweep, const SweepFigures& figures) {
    Table table{.title = "Cells",
                .columns = {{"policy", Align::Left},
                            {"device", Align::Left},
                            {"isa", Align::Left},
                            {"batch"},
                            {"status", Align::Left},
                            {"ms/step"},
                            {"95 %"},
                            {"quartiles"},
                            {"images/s"},
                            {"timed"},
                            {"wait ms"},
                            {"warm-up"},
                            {"predicted"},
                            {"peak"},
                            {"largest batch"},
                            {"against the baseline", Align::Left}}};
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        table.rows.push_back(rowOf(sweep.cells[i], figures[i]));
    }
    table.notes = cellNotes(sweep, figures);
    table.notes.insert(table.notes.begin(), warmUpSentence(figures));
    return table;
}

std::string warmUpSentence(const SweepFigures& figures) {
    std::int64_t steps = 0, timed = 0;
    double milliseconds = 0;
    for (const CellFigures& cell : figures) {
        steps += cell.warmupSteps;
        timed += cell.timedSteps;
        milliseconds += cell.warmupMilliseconds.value_or(0);
    }
    return fmt::format("{} timed steps; {} warm-up steps, {:.1f} s together, are left out.", timed, steps,
                       milliseconds / 1000);
}

std::vector<std::string> cellNotes(const values::Sweep& sweep, const SweepFigures& figures) {
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        if (!figures[i].note.empty()) {
            notes.push_back(fmt::format("{}: {}", cellText(sweep.cells[i].key), figures[i].note));
        }
    }
    return notes;
}

std::string titleOf(const values::Sweep& sweep) {
    const std::string& name = sweep.config.base.name;
    return fmt::format("Sweep {}{}{}", sweep.id, name.empty() ? "" : ": ", name);
}

std::string sweepMarkdown(const values::Sweep& sweep) {
    return "## " + escapedMarkdown(titleOf(sweep)) + "\n\n" +
           together(sweep, [](const Table& table) { return markdownText(table); });
}

std::string sweepLatex(const values::Sweep& sweep) {
    return "% " + escapedLatex(titleOf(sweep)) + "\n" + together(sweep, &latexText);
}

} // namespace halfstep::report
