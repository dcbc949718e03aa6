#include "engine/report/sweep_sentences.h"
#include "engine/report/figure_text.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace halfstep::report {
namespace {
using analysis::CellFigures;
using values::CellKey;
using values::CellStatus;

struct MeasuredCell {
    const values::SweepCell& cell;
    const CellFigures& figures;
};

std::string nameOf(const MeasuredCell& measured) {
    return std::string(precision::traitsOf(measured.cell.key.policy).name);
}

std::string timeOf(const CellFigures& figures) {
    return fmt::format("{} ms{}", millisecondsText(*figures.median),
                       figures.interval ? fmt::format(" ({})", millisecondsText(*figures.interval)) : "");
}

/// Held against each other over the same rounds, as the speed-ups of the tables are.
bool noDifferenceShown(const MeasuredCell& a, const MeasuredCell& b) {
    const auto speedUp = analysis::speedUpOf(a.cell, b.cell);
    return !speedUp || (speedUp->interval.low <= 1 && 1 <= speedUp->interval.high);
}

bool sameBatchAndPlace(const CellKey& a, const CellKey& b) {
    return a.batchSize == b.batchSize && a.device == b.device && a.isa == b.isa;
}

/// "", or ", cpu avx2" where the sweep has several.
std::string placeOf(const values::Sweep& sweep, const CellKey& key) {
    const bool several = sweep.config.devices.size() > 1 || sweep.config.isas.size() > 1;
    return several ? fmt::format(", {} {}", key.device, key.isa) : std::string();
}

/// `group` holds at least one cell; all are timed, undisturbed, and of one batch size and place.
std::string fastestSentence(const std::string& subject, const std::vector<MeasuredCell>& group) {
    const MeasuredCell& first =
        *std::ranges::min_element(group, {}, [](const MeasuredCell& cell) { return *cell.figures.median; });
    if (group.size() == 1) {
        return fmt::format("{}: {} takes {} per step.", subject, nameOf(first), timeOf(first.figures));
    }
    std::vector<std::string> alike;
    for (const MeasuredCell& other : group) {
        if (&other != &first && noDifferenceShown(first, other)) {
            alike.push_back(fmt::format("{}, {}", nameOf(other), timeOf(other.figures)));
        }
    }
    std::string sentence =
        fmt::format("{}: {} has the shortest step, {}.", subject, nameOf(first), timeOf(first.figures));
    if (!alike.empty()) {
        sentence += fmt::format(" No difference is shown to {}.", fmt::join(alike, "; "));
    }
    if (first.figures.speedUp && first.figures.speedUp->interval.low > 1) {
        sentence += fmt::format(" It is {}, against the baseline.", speedUpText(*first.figures.speedUp));
    }
    return sentence;
}

/// "float32 at batch 8, 16; mixed_float16 at batch 8": the cells with this status. `text` is a batch's.
template <typename Text>
std::string cellsWith(CellStatus status, const values::Sweep& sweep, const SweepFigures& figures, Text text) {
    std::vector<std::pair<std::string, std::string>> batchesOf; // in the order in which they first occur
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        if (figures[i].status != status) {
            continue;
        }
        const values::SweepCell& cell = sweep.cells[i];
        const std::string name = std::string(precision::traitsOf(cell.key.policy).name) + placeOf(sweep, cell.key);
        const auto known = std::ranges::find(batchesOf, name, &std::pair<std::string, std::string>::first);
        if (known == batchesOf.end()) {
            batchesOf.emplace_back(name, text(cell));
        } else {
            known->second += ", " + text(cell);
        }
    }
    std::string list;
    for (const auto& [name, batches] : batchesOf) {
        list += fmt::format("{}{} at batch {}", list.empty() ? "" : "; ", name, batches);
    }
    return list;
}

void addMemorySentence(std::vector<std::string>& sentences, const values::Sweep& sweep, const SweepFigures& figures) {
    const std::string cells = cellsWith(CellStatus::Oom, sweep, figures, [](const values::SweepCell& cell) {
        const std::int64_t largest = cell.largestBatch.value_or(0);
        return fmt::format("{}{}", cell.key.batchSize, largest > 0 ? fmt::format(" ({} fits)", largest) : "");
    });
    if (!cells.empty()) {
        sentences.push_back(fmt::format("Out of memory: {}.", cells));
    }
}

void addDisturbedSentence(std::vector<std::string>& sentences, const values::Sweep& sweep,
                          const SweepFigures& figures) {
    const std::string cells = cellsWith(CellStatus::Disturbed, sweep, figures, [](const values::SweepCell& cell) {
        return fmt::format("{}", cell.key.batchSize);
    });
    if (!cells.empty()) {
        sentences.push_back(fmt::format("Disturbed, so that their figures cannot be trusted: {}. `halfstep sweep "
                                        "--resume {} --again disturbed` measures them again.",
                                        cells, sweep.id));
    }
}

} // namespace

std::vector<std::string> sweepSentences(const values::Sweep& sweep, const SweepFigures& figures) {
    std::vector<std::string> sentences;
    std::vector<CellKey> told;
    for (const values::SweepCell& cell : sweep.cells) {
        const auto isTold = [&](const CellKey& key) { return sameBatchAndPlace(key, cell.key); };
        if (std::ranges::any_of(told, isTold)) {
            continue;
        }
        told.push_back(cell.key);
        std::vector<MeasuredCell> group;
        for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
            if (figures[i].status == CellStatus::Ok && figures[i].median &&
                sameBatchAndPlace(sweep.cells[i].key, cell.key)) {
                group.push_back({sweep.cells[i], figures[i]});
            }
        }
        if (!group.empty()) {
            sentences.push_back(
                fastestSentence(fmt::format("Batch {}{}", cell.key.batchSize, placeOf(sweep, cell.key)), group));
        }
    }
    addMemorySentence(sentences, sweep, figures);
    addDisturbedSentence(sentences, sweep, figures);
    return sentences;
}

} // namespace halfstep::report
