#include "ui/pages/live_run.h"
#include "engine/analysis/statistics.h"
#include <algorithm>
#include <type_traits>

namespace halfstep::ui {

namespace {

constexpr std::size_t kRecent = 50; ///< steps that "at present" means
constexpr std::size_t kEnough = 3;  ///< steps before a time is said

} // namespace

void LiveRun::apply(const values::RunEvent& event) {
    std::visit(
        [this](const auto& what) {
            using Event = std::decay_t<decltype(what)>;
            if constexpr (std::is_same_v<Event, values::DataProgress>) {
                m_preparing = what;
            } else if constexpr (std::is_same_v<Event, values::RunPlan>) {
                m_plan = what;
                m_preparing.reset();
            } else if constexpr (std::is_same_v<Event, values::StepRecord>) {
                m_steps.push_back(what);
                m_smoothedLoss.push_back(m_lossSmoother.add(what.loss));
                m_smoothedAccuracy.push_back(m_accuracySmoother.add(what.accuracy));
                m_skipped += what.skipped ? 1 : 0;
                if (what.lostUpdates) {
                    m_lostUpdates = m_lostUpdatesSmoother.add(*what.lostUpdates);
                }
            } else if constexpr (std::is_same_v<Event, values::ValidationProgress>) {
                m_validating = what;
            } else if constexpr (std::is_same_v<Event, values::EpochRecord>) {
                m_epochs.push_back(what);
                m_validating.reset();
            }
        },
        event);
}

std::int64_t LiveRun::warmUpSteps() const {
    return m_plan ? analysis::warmUpSteps(m_plan->totalSteps) : 0;
}

std::vector<values::StepRecord> LiveRun::recentSteps() const {
    std::vector<values::StepRecord> recent;
    for (auto step = m_steps.rbegin(); step != m_steps.rend() && recent.size() < kRecent; ++step) {
        if (step->step > warmUpSteps() && step->batchSize == m_config.batchSize) {
            recent.push_back(*step);
        }
    }
    return recent;
}

std::optional<StepTime> LiveRun::stepTime() const {
    std::vector<double> times;
    for (const values::StepRecord& step : recentSteps()) {
        times.push_back(step.stepMilliseconds);
    }
    if (times.size() < kEnough) {
        return std::nullopt;
    }
    const auto quartiles = analysis::quartiles(times);
    return StepTime{quartiles->median, (quartiles->q75 - quartiles->q25) / 2};
}

std::optional<double> LiveRun::imagesPerSecond() const {
    double images = 0;
    double milliseconds = 0;
    const auto recent = recentSteps();
    for (const values::StepRecord& step : recent) {
        images += step.batchSize;
        milliseconds += step.stepMilliseconds + step.dataWaitMilliseconds;
    }
    return recent.size() >= kEnough && milliseconds > 0 ? std::optional(images / milliseconds * 1000) : std::nullopt;
}

double LiveRun::shareDone() const {
    if (!m_plan || m_plan->totalSteps == 0) {
        return 0;
    }
    const auto done = static_cast<double>(static_cast<std::int64_t>(m_steps.size()) + validated());
    return std::clamp(done / static_cast<double>(m_plan->totalSteps + plannedValidation()), 0.0, 1.0);
}

std::int64_t LiveRun::plannedValidation() const {
    // An epoch that the steps cut off is not validated.
    return m_plan->stepsPerEpoch > 0 ? m_plan->totalSteps / m_plan->stepsPerEpoch * m_plan->validationBatches : 0;
}

std::int64_t LiveRun::validated() const {
    return static_cast<std::int64_t>(m_epochs.size()) * m_plan->validationBatches +
           (m_validating ? m_validating->done : 0);
}

double LiveRun::validationSeconds() const {
    // An epoch's time that is not in its steps.
    if (m_epochs.empty()) {
        return 0;
    }
    double seconds = m_epochs.back().seconds;
    for (auto step = m_steps.rbegin(); step != m_steps.rend() && step->epoch >= m_epochs.back().epoch; ++step) {
        if (step->epoch == m_epochs.back().epoch) {
            seconds -= (step->stepMilliseconds + step->dataWaitMilliseconds) / 1000;
        }
    }
    return std::max(seconds, 0.0);
}

std::optional<double> LiveRun::secondsLeft() const {
    const auto recent = recentSteps();
    if (!m_plan || recent.size() < kEnough) {
        return std::nullopt;
    }
    double milliseconds = 0;
    for (const values::StepRecord& step : recent) {
        milliseconds += step.stepMilliseconds + step.dataWaitMilliseconds;
    }
    const double perStep = milliseconds / 1000 / static_cast<double>(recent.size());
    const auto stepsLeft = m_plan->totalSteps - static_cast<std::int64_t>(m_steps.size());
    constexpr double kForwardShare = 1.0 / 3; // of a step; until a validation was measured
    const double perBatch = m_epochs.empty() || m_plan->validationBatches == 0
                                ? perStep * kForwardShare
                                : validationSeconds() / static_cast<double>(m_plan->validationBatches);
    return perStep * static_cast<double>(stepsLeft) +
           perBatch * static_cast<double>(plannedValidation() - validated());
}

} // namespace halfstep::ui
