#include "ui/models/seed_groups.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace halfstep::ui {
namespace {

/// The settings without what differs within a group.
values::ExperimentConfig withoutSeed(values::ExperimentConfig config) {
    config.seed = 0;
    config.name.clear();
    config.threads = 0;
    config.checkpoint.clear();
    config.checkpointEvery.reset();
    config.numericsEvery = 0;
    config.memoryLimitBytes.reset();
    return config;
}

bool belongTogether(const store::StoredRun& a, const store::StoredRun& b) {
    return withoutSeed(a.config) == withoutSeed(b.config) &&
           a.environment.dataFingerprint == b.environment.dataFingerprint;
}

bool takes(const SeedGroup& group, const store::StoredRun& run) {
    const bool seedIsNew = std::ranges::none_of(
        group.runs, [&](const auto& records) { return records->run.config.seed == run.config.seed; });
    return seedIsNew && belongTogether(group.runs.front()->run, run);
}

Band bandOf(const std::vector<RunCurves>& curves, std::vector<QPointF> RunCurves::*points) {
    std::size_t shortest = curves.empty() ? 0 : std::numeric_limits<std::size_t>::max();
    for (const RunCurves& one : curves) {
        shortest = std::min(shortest, (one.*points).size());
    }
    Band band;
    for (std::size_t i = 0; i < shortest; ++i) {
        double x = 0, sum = 0;
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const RunCurves& one : curves) {
            const QPointF point = (one.*points)[i];
            x += point.x();
            sum += point.y();
            low = std::min(low, point.y());
            high = std::max(high, point.y());
        }
        const auto number = static_cast<double>(curves.size());
        const bool finite = std::isfinite(sum);
        constexpr double gap = std::numeric_limits<double>::quiet_NaN();
        band.mean.emplace_back(x / number, finite ? sum / number : gap);
        band.low.emplace_back(x / number, finite ? low : gap);
        band.high.emplace_back(x / number, finite ? high : gap);
    }
    return band;
}

} // namespace

std::vector<SeedGroup> seedGroups(const RunList& runs) {
    std::vector<SeedGroup> groups;
    for (const auto& records : runs) {
        const auto group =
            std::ranges::find_if(groups, [&](const SeedGroup& one) { return takes(one, records->run); });
        if (group == groups.end()) {
            groups.push_back({{records}});
        } else {
            group->runs.push_back(records);
        }
    }
    return groups;
}

Band trainingBand(const std::vector<RunCurves>& curves) {
    return bandOf(curves, &RunCurves::smoothed);
}

Band validationBand(const std::vector<RunCurves>& curves) {
    return bandOf(curves, &RunCurves::validation);
}

} // namespace halfstep::ui
