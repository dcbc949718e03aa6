#include "engine/report/run_tables.h"
#include "engine/analysis/statistics.h"
#include "engine/report/facts.h"
#include "engine/report/figure_text.h"
#include "engine/values/json.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace halfstep::report {
namespace {
using Json = nlohmann::ordered_json;

constexpr const char* kAbsent = "-";
constexpr double kManyLostUpdates = 0.01; ///< a share worth a warning; float32 loses some too

std::string medianText(const store::StoredRun& run) {
    return run.medianStepMilliseconds ? millisecondsText(*run.medianStepMilliseconds) : kAbsent;
}

/// Of the last epoch that was begun, as `train --json` says it.
std::optional<double> lossOf(const store::StoredRun& run) {
    return run.loss ? run.loss : run.lastEpoch ? std::optional(run.lastEpoch->loss) : std::nullopt;
}
std::optional<double> accuracyOf(const store::StoredRun& run) {
    return run.accuracy ? run.accuracy : run.lastEpoch ? std::optional(run.lastEpoch->accuracy) : std::nullopt;
}
std::optional<double> validationOf(const store::StoredRun& run, std::optional<double> values::EpochRecord::*figure) {
    return run.lastEpoch ? (*run.lastEpoch).*figure : std::nullopt;
}

void addSettings(Facts& facts, const values::ExperimentConfig& config) {
    const Json settings = values::toJson(config);
    for (const auto& [name, value] : settings.items()) {
        if (!value.is_null()) {
            facts.add(name, value.is_string() ? value.get<std::string>() : values::jsonText(value, -1));
        }
    }
}

std::string together(const RunRecord& record, std::string (*write)(const Table&)) {
    Table figures = figuresTable(record);
    figures.notes = warningsOf(record);
    return write(figures) + '\n' + write(epochsTable(record)) + '\n' + write(settingsTable(record)) + '\n' +
           write(environmentTable(record));
}

} // namespace

Table runsTable(const std::vector<RunRecord>& runs) {
    Table table{.title = "Runs",
                .columns = {{"run"},
                            {"policy", Align::Left},
                            {"batch"},
                            {"image size"},
                            {"seed"},
                            {"isa", Align::Left},
                            {"status", Align::Left},
                            {"epochs"},
                            {"steps"},
                            {"loss"},
                            {"accuracy"},
                            {"val_loss"},
                            {"val_accuracy"},
                            {"ms/step"},
                            {"peak"},
                            {"name", Align::Left}}};
    for (const RunRecord& record : runs) {
        const store::StoredRun& run = record.run;
        table.rows.push_back({fmt::format("{}", run.id), std::string(precision::traitsOf(run.config.policy).name),
                              fmt::format("{}", run.config.batchSize), fmt::format("{}", run.config.imageSize),
                              fmt::format("{}", run.config.seed), run.environment.isa,
                              std::string(nameOf(run.status)), fmt::format("{}", run.epochsDone),
                              fmt::format("{}", run.stepsDone), fixedText(lossOf(run)), fixedText(accuracyOf(run)),
                              fixedText(validationOf(run, &values::EpochRecord::valLoss)),
                              fixedText(validationOf(run, &values::EpochRecord::valAccuracy)), medianText(run),
                              bytesText(static_cast<std::uint64_t>(run.peakBytes)), run.config.name});
    }
    return table;
}

Table settingsTable(const RunRecord& record) {
    Facts facts("Settings");
    addSettings(facts, record.run.config);
    return facts.take();
}

Table figuresTable(const RunRecord& record) {
    const store::StoredRun& run = record.run;
    Facts facts("Figures");
    facts.add("status", std::string(nameOf(run.status)));
    facts.add("epochs", fmt::format("{}", run.epochsDone));
    facts.add("steps", fmt::format("{} ({} skipped)", run.stepsDone, run.skippedSteps));
    if (const auto lost = analysis::meanLostUpdates(record.steps)) {
        facts.add("updates lost to rounding", percentText(*lost));
    }
    facts.add("loss", fixedText(lossOf(run)));
    facts.add("accuracy", fixedText(accuracyOf(run)));
    facts.add("val_loss", fixedText(validationOf(run, &values::EpochRecord::valLoss)));
    facts.add("val_accuracy", fixedText(validationOf(run, &values::EpochRecord::valAccuracy)));
    facts.add("median ms per step", medianText(run));
    if (run.medianStepMilliseconds) {
        facts.add("images per second",
                  fmt::format("{:.1f}", run.config.batchSize * 1000.0 / *run.medianStepMilliseconds));
    }
    facts.add("peak memory", bytesText(static_cast<std::uint64_t>(run.peakBytes)));
    facts.add("data", fmt::format("{} ({})", run.dataName, run.config.data));
    facts.add("started (UTC)", run.startedAt);
    facts.add("ended (UTC)", run.endedAt);
    return facts.take();
}

Table epochsTable(const RunRecord& record) {
    Table table{.title = "Epochs",
                .columns = {{"epoch"}, {"loss"}, {"accuracy"}, {"val_loss"}, {"val_accuracy"}, {"seconds"}}};
    for (const values::EpochRecord& epoch : record.epochs) {
        table.rows.push_back({fmt::format("{}", epoch.epoch), fixedText(epoch.loss), fixedText(epoch.accuracy),
                              fixedText(epoch.valLoss), fixedText(epoch.valAccuracy),
                              fmt::format("{:.1f}", epoch.seconds)});
    }
    return table;
}

Table environmentTable(const RunRecord& record) {
    Facts facts("Made with");
    facts.add(record.run.environment);
    for (const values::ConvolutionUse& use : record.run.environment.convolutions) {
        facts.add(fmt::format("{}, {}", use.layer, use.pass), use.algorithm);
    }
    return facts.take();
}

std::vector<std::string> warningsOf(const RunRecord& record) {
    const store::StoredRun& run = record.run;
    std::vector<std::string> warnings;
    if (run.status != values::RunStatus::Finished) {
        warnings.push_back(
            fmt::format("The run is {}{}{}", nameOf(run.status), run.message.empty() ? "." : ": ", run.message));
    }
    if (run.skippedSteps > 0) {
        warnings.push_back(fmt::format("{} of {} steps were skipped, since their gradients were not finite.",
                                       run.skippedSteps, run.stepsDone));
    }
    if (const auto lost = analysis::meanLostUpdates(record.steps); lost && *lost >= kManyLostUpdates) {
        warnings.push_back(fmt::format("Rounding took away {} of the weights' updates.", percentText(*lost)));
    }
    for (const std::string& warning : values::warningsOf(run.config)) {
        warnings.push_back(warning);
    }
    return warnings;
}

std::string titleOf(const RunRecord& record) {
    const std::string& name = record.run.config.name;
    return fmt::format("Run {}{}{}", record.run.id, name.empty() ? "" : ": ", name);
}

std::string runMarkdown(const RunRecord& record) {
    return "## " + escapedMarkdown(titleOf(record)) + "\n\n" +
           together(record, [](const Table& table) { return markdownText(table); });
}

std::string runLatex(const RunRecord& record) {
    return "% " + escapedLatex(titleOf(record)) + "\n" + together(record, &latexText);
}

} // namespace halfstep::report
