#include "engine/store/sweep_export.h"
#include "engine/analysis/sweep_figures.h"
#include "engine/values/json.h"
#include "engine/values/number_text.h"
#include "engine/values/sweep_json.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace halfstep::store {
namespace {
using Json = nlohmann::ordered_json;
using Column = std::pair<const char*, Json>;

Json number(const std::optional<double>& value) {
    return value ? values::numberJson(*value) : Json(nullptr);
}

Json bytes(const std::optional<std::uint64_t>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json edge(const analysis::Interval* interval, double analysis::Interval::*side) {
    return interval != nullptr ? values::numberJson(interval->*side) : Json(nullptr);
}

/// A cell's row; null is an empty field.
std::vector<Column> columnsOf(const values::SweepCell& cell, const analysis::CellFigures& figures) {
    const analysis::Interval* median = figures.interval ? &*figures.interval : nullptr;
    const analysis::Interval* speedUp = figures.speedUp ? &figures.speedUp->interval : nullptr;
    using analysis::Interval;
    return {{"policy", precision::traitsOf(cell.key.policy).name},
            {"batch_size", cell.key.batchSize},
            {"device", cell.key.device},
            {"isa", cell.isa.empty() ? cell.key.isa : cell.isa},
            {"status", nameOf(figures.status)},
            {"median_ms", number(figures.median)},
            {"q25_ms", number(figures.q25)},
            {"q75_ms", number(figures.q75)},
            {"ci_low_ms", edge(median, &Interval::low)},
            {"ci_high_ms", edge(median, &Interval::high)},
            {"images_per_second", number(figures.imagesPerSecond)},
            {"timed_steps", figures.median ? Json(figures.timedSteps) : Json(nullptr)},
            {"speedup", figures.speedUp ? values::numberJson(figures.speedUp->ratio) : Json(nullptr)},
            {"predicted_bytes", bytes(figures.predictedBytes)},
            {"peak_bytes", bytes(figures.peakBytes)},
            {"speedup_low", edge(speedUp, &Interval::low)},
            {"speedup_high", edge(speedUp, &Interval::high)},
            {"wait_ms", number(figures.medianWait)},
            {"warmup_steps", figures.median ? Json(figures.warmupSteps) : Json(nullptr)},
            {"warmup_ms", number(figures.warmupMilliseconds)},
            {"free_bytes", cell.status == values::CellStatus::Oom ? bytes(cell.freeBytes) : Json(nullptr)},
            {"largest_batch", cell.largestBatch ? Json(*cell.largestBatch) : Json(nullptr)}};
}

std::string fieldOf(const Json& value) {
    if (value.is_null()) {
        return {};
    }
    if (value.is_number_float()) {
        return values::numberText(value.get<double>());
    }
    return value.is_string() ? value.get<std::string>() : value.dump();
}

} // namespace

std::string cellsCsv(const values::Sweep& sweep) {
    const std::vector<analysis::CellFigures> figures = analysis::figuresOf(sweep);
    std::vector<std::string> header;
    for (const Column& column : columnsOf({}, {})) {
        header.emplace_back(column.first);
    }
    std::string text = fmt::format("{}\n", fmt::join(header, ","));
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        std::vector<std::string> row;
        for (const Column& column : columnsOf(sweep.cells[i], figures[i])) {
            row.push_back(fieldOf(column.second));
        }
        text += fmt::format("{}\n", fmt::join(row, ","));
    }
    return text;
}

Json sweepJson(const values::Sweep& sweep) {
    const std::vector<analysis::CellFigures> figures = analysis::figuresOf(sweep);
    Json cells = Json::array();
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const values::SweepCell& cell = sweep.cells[i];
        Json json = Json::object();
        for (const Column& column : columnsOf(cell, figures[i])) {
            json[column.first] = column.second;
        }
        json["speedup_word"] = figures[i].speedUp ? Json(figures[i].speedUp->word) : Json(nullptr);
        json["note"] = figures[i].note;
        const Json known = values::toJson(cell);
        for (const char* name : {"device_text", "computed_in", "predicted", "convolutions"}) {
            json[name] = known.at(name);
        }
        json["rounds"] = Json::array();
        for (const values::CellRound& round : cell.rounds) {
            json["rounds"].push_back(values::toJson(round));
        }
        cells.push_back(std::move(json));
    }
    return {{"sweep", sweep.id},
            {"status", nameOf(sweep.status)},
            {"message", sweep.message},
            {"data_name", sweep.dataName},
            {"started_at", sweep.startedAt},
            {"ended_at", sweep.endedAt.empty() ? Json(nullptr) : Json(sweep.endedAt)},
            {"config", values::toJson(sweep.config)},
            {"environment", values::toJson(sweep.environment)},
            {"governor", sweep.governor},
            {"data_cache_bytes", sweep.dataCacheBytes},
            {"cells", std::move(cells)}};
}

Json sweepSummaryJson(const values::Sweep& sweep) {
    return {{"sweep", sweep.id},
            {"status", nameOf(sweep.status)},
            {"message", sweep.message},
            {"data_name", sweep.dataName},
            {"started_at", sweep.startedAt},
            {"ended_at", sweep.endedAt.empty() ? Json(nullptr) : Json(sweep.endedAt)},
            {"cells", sweep.cells.size()},
            {"rounds_done", values::roundsDone(sweep)},
            {"config", values::toJson(sweep.config)}};
}

} // namespace halfstep::store
