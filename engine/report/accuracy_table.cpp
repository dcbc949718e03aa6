#include "engine/report/accuracy_table.h"
#include "engine/analysis/accuracy_difference.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace halfstep::report {
namespace {
using analysis::AccuracySample;
using precision::Policy;

/// What two runs must share to be compared.
struct Conditions {
    values::ExperimentConfig config{};
    std::string fingerprint{};
    int epochsDone = 0;
    bool operator==(const Conditions&) const = default;
};

Conditions conditionsOf(const store::StoredRun& run) {
    const values::ExperimentConfig standard;
    Conditions conditions{run.config, run.environment.dataFingerprint, run.epochsDone};
    values::ExperimentConfig& config = conditions.config;
    config.policy = standard.policy;
    config.seed = standard.seed;
    config.name.clear(); // this and what follows changes no number
    config.data.clear(); // the fingerprint says it
    config.threads = standard.threads;
    config.numericsEvery = standard.numericsEvery;
    config.checkpoint.clear();
    config.checkpointEvery.reset();
    config.memoryLimitBytes.reset();
    return conditions;
}

/// The runs of one policy under the same conditions.
struct PolicySample {
    Policy policy{};
    AccuracySample accuracies{};
    std::vector<std::uint64_t> seeds{};
};
using Group = std::pair<Conditions, std::vector<PolicySample>>;

void add(std::vector<Group>& groups, const store::StoredRun& run) {
    const Conditions conditions = conditionsOf(run);
    auto group = std::ranges::find(groups, conditions, &Group::first);
    if (group == groups.end()) {
        group = groups.insert(groups.end(), {conditions, {}});
    }
    auto sample = std::ranges::find(group->second, run.config.policy, &PolicySample::policy);
    if (sample == group->second.end()) {
        sample = group->second.insert(group->second.end(), PolicySample{.policy = run.config.policy});
    }
    if (std::ranges::find(sample->seeds, run.config.seed) ==
        sample->seeds.end()) { // the same run twice tells no more
        sample->seeds.push_back(run.config.seed);
        sample->accuracies.runs.push_back(*run.lastEpoch->valAccuracy);
        sample->accuracies.pictures = run.environment.validationPictures;
    }
}

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

std::string seedsText(const std::vector<std::uint64_t>& seeds) {
    std::string text;
    for (const std::uint64_t seed : seeds) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", seed);
    }
    return text;
}

void addRow(Table& table, const PolicySample& sample, const PolicySample& baseline) {
    const std::vector<double>& runs = sample.accuracies.runs;
    double sum = 0;
    for (const double accuracy : runs) {
        sum += accuracy;
    }
    const auto [least, most] = std::ranges::minmax(runs);
    const std::string_view name = precision::traitsOf(sample.policy).name;
    std::vector<std::string> row{std::string(name), seedsText(sample.seeds),
                                 percent(sum / static_cast<double>(runs.size())),
                                 fmt::format("{} to {}", percent(least), percent(most))};
    const auto difference =
        &sample == &baseline ? std::nullopt : analysis::accuracyDifference(sample.accuracies, baseline.accuracies);
    row.push_back(difference ? fmt::format("{:+.1f}", difference->points) : "-");
    row.push_back(difference ? fmt::format("{:+.1f} to {:+.1f}", difference->interval.low, difference->interval.high)
                             : "-");
    table.rows.push_back(std::move(row));
    if (difference) {
        table.notes.push_back(
            analysis::accuracySentence(*difference, name, precision::traitsOf(baseline.policy).name));
    }
}

Table tableOf(const Group& group) {
    const auto& [conditions, samples] = group;
    Table table{
        .title = fmt::format("Validation accuracy after epoch {}, batch {}, {} pixels", conditions.epochsDone,
                             conditions.config.batchSize, conditions.config.imageSize),
        .columns = {
            {"policy", Align::Left}, {"seeds", Align::Left}, {"mean"}, {"spread"}, {"difference, points"}, {"95 %"}}};
    const auto float32 = std::ranges::find(samples, Policy::Float32, &PolicySample::policy);
    const PolicySample& baseline = float32 == samples.end() ? samples.front() : *float32;
    addRow(table, baseline, baseline);
    for (const PolicySample& sample : samples) {
        if (&sample != &baseline) {
            addRow(table, sample, baseline);
        }
    }
    return table;
}

} // namespace

std::vector<Table> accuracyTables(const std::vector<RunRecord>& runs) {
    std::vector<Group> groups;
    for (const RunRecord& record : runs) {
        if (record.run.lastEpoch && record.run.lastEpoch->valAccuracy) {
            add(groups, record.run);
        }
    }
    std::vector<Table> tables;
    for (const Group& group : groups) {
        if (group.second.size() > 1) {
            tables.push_back(tableOf(group));
        }
    }
    return tables;
}

} // namespace halfstep::report
