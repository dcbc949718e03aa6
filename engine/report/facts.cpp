#include "engine/report/facts.h"
#include "engine/report/sweep_tables.h"
#include "engine/values/number_text.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace halfstep::report {
namespace {
using values::numberText;

/// "0.12 to 0.85", or nothing where no round knows it.
std::string rangeOf(const values::Sweep& sweep, std::optional<double> values::CellRound::*figure, int decimals) {
    std::optional<double> least, most;
    for (const values::SweepCell& cell : sweep.cells) {
        for (const values::CellRound& round : cell.rounds) {
            if (const std::optional<double> value = round.*figure) {
                least = std::min(least.value_or(*value), *value);
                most = std::max(most.value_or(*value), *value);
            }
        }
    }
    if (!least) {
        return {};
    }
    return *least == *most ? fmt::format("{:.{}f}", *least, decimals)
                           : fmt::format("{:.{}f} to {:.{}f}", *least, decimals, *most, decimals);
}

} // namespace

Facts::Facts(std::string title) {
    m_table.title = std::move(title);
    m_table.columns = {{"", Align::Left}, {"", Align::Left}};
}

void Facts::add(std::string name, std::string value) {
    if (!value.empty()) {
        m_table.rows.push_back({std::move(name), std::move(value)});
    }
}

void Facts::add(const values::Environment& environment) {
    add("processor", environment.cpu);
    add("cores", environment.cores > 0 ? fmt::format("{}", environment.cores) : "");
    add("threads", environment.threads > 0 ? fmt::format("{}", environment.threads) : "");
    add("instruction set", environment.isa);
    add("device", environment.device);
    add("system", environment.operatingSystem);
    add("program", environment.halfstepVersion.empty() ? "" : "halfstep " + environment.halfstepVersion);
    add("compiler", environment.compiler);
    add("oneDNN", environment.oneDnnVersion);
    add("OpenCV", environment.openCvVersion);
    add("fingerprint of the pictures", environment.dataFingerprint);
}

Table environmentTable(const values::Sweep& sweep) {
    const values::SweepConfig& config = sweep.config;
    values::Environment environment = sweep.environment;
    environment.isa.clear(); // a cell's own, as its device is
    environment.device.clear();
    Facts facts("Measured with");
    facts.add(environment);
    facts.add("clock governor", sweep.governor);
    facts.add("clock, MHz", rangeOf(sweep, &values::CellRound::clockMegahertz, 0));
    facts.add("load average before a round", rangeOf(sweep, &values::CellRound::loadAverage, 2));
    facts.add("share of other processes", rangeOf(sweep, &values::CellRound::otherShare, 3));
    facts.add("data", fmt::format("{} ({}, {})", sweep.dataName, config.base.data, nameOf(config.input)));
    facts.add("image size", fmt::format("{} x {} pixels", config.base.imageSize, config.base.imageSize));
    facts.add("steps of a cell in a round", fmt::format("{} timed after {} warm-up", config.steps, config.warmup));
    facts.add("rounds", fmt::format("{}, in orders of seed {}", config.repeats, config.orderSeed));
    facts.add("seed of weights and batches", fmt::format("{}", config.base.seed));
    facts.add("convolution", config.base.convolution);
    facts.add("memory limit",
              config.base.memoryLimitBytes ? fmt::format("{} bytes", *config.base.memoryLimitBytes) : "");
    facts.add("status", std::string(nameOf(sweep.status)));
    facts.add("message", sweep.message);
    facts.add("started (UTC)", sweep.startedAt);
    facts.add("ended (UTC)", sweep.endedAt);
    return facts.take();
}

} // namespace halfstep::report
