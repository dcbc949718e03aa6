#include "engine/analysis/statistics.h"
#include <algorithm>
#include <cmath>

namespace halfstep::analysis {
namespace {

std::vector<double> sorted(std::span<const double> sample) {
    std::vector<double> values(sample.begin(), sample.end());
    std::ranges::sort(values);
    return values;
}

/// Of a sorted sample that is not empty.
double quantileOfSorted(const std::vector<double>& values, double share) {
    const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], position - static_cast<double>(below));
}

} // namespace

std::optional<double> quantile(std::span<const double> sample, double share) {
    return sample.empty() ? std::nullopt : std::optional(quantileOfSorted(sorted(sample), share));
}

std::optional<double> median(std::span<const double> sample) {
    return quantile(sample, 0.5);
}

std::optional<Quartiles> quartiles(std::span<const double> sample) {
    if (sample.empty()) {
        return std::nullopt;
    }
    const std::vector<double> values = sorted(sample);
    return Quartiles{
        .q25 = quantileOfSorted(values, 0.25),
        .median = quantileOfSorted(values, 0.5),
        .q75 = quantileOfSorted(values, 0.75),
    };
}

std::int64_t warmUpSteps(std::int64_t stepsOfRun) {
    return std::min<std::int64_t>(3, stepsOfRun / 2);
}

std::vector<double> timedStepMilliseconds(std::span<const values::StepRecord> steps, int batchSize) {
    std::vector<double> times;
    const auto warmUp = static_cast<std::size_t>(warmUpSteps(static_cast<std::int64_t>(steps.size())));
    for (const values::StepRecord& step : steps.subspan(warmUp)) {
        if (step.batchSize == batchSize) {
            times.push_back(step.stepMilliseconds);
        }
    }
    return times;
}

std::optional<double> medianStepMilliseconds(std::span<const values::StepRecord> steps, int batchSize) {
    return median(timedStepMilliseconds(steps, batchSize));
}

std::optional<Means> meansOfEpochBegun(std::span<const values::StepRecord> steps, int epochsCompleted) {
    Means sums;
    double images = 0;
    for (auto step = steps.rbegin(); step != steps.rend() && step->epoch > epochsCompleted; ++step) {
        sums.loss += step->loss * step->batchSize;
        sums.accuracy += step->accuracy * step->batchSize;
        images += step->batchSize;
    }
    if (images == 0) {
        return std::nullopt;
    }
    return Means{.loss = sums.loss / images, .accuracy = sums.accuracy / images};
}

std::optional<double> meanLostUpdates(std::span<const values::StepRecord> steps) {
    double sum = 0;
    std::int64_t count = 0;
    for (const values::StepRecord& step : steps) {
        if (step.lostUpdates) {
            sum += *step.lostUpdates;
            ++count;
        }
    }
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

} // namespace halfstep::analysis
