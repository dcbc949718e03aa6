#pragma once
#include "engine/analysis/series.h"
#include "engine/values/experiment_config.h"
#include "engine/values/run_event.h"
#include "engine/values/run_summary.h"
#include <optional>
#include <vector>

namespace halfstep::ui {

/// How long a step takes at present.
struct StepTime {
    double median = 0; ///< milliseconds
    double spread = 0; ///< half of the interquartile range, milliseconds
};

/// What is known of the run that is going on (or was, last), gathered from its events. Values only, no widgets.
class LiveRun {
public:
    explicit LiveRun(values::ExperimentConfig config) : m_config(std::move(config)) {}

    void apply(const values::RunEvent& event);
    void end(const values::RunSummary& summary) { m_summary = summary; }

    const values::ExperimentConfig& config() const { return m_config; }
    const std::optional<values::RunPlan>& plan() const { return m_plan; }
    /// Set while the data are read, before there is a plan.
    const std::optional<values::DataProgress>& preparing() const { return m_preparing; }
    const std::vector<values::StepRecord>& steps() const { return m_steps; }
    const std::vector<values::EpochRecord>& epochs() const { return m_epochs; }
    /// Set while an epoch is being validated.
    const std::optional<values::ValidationProgress>& validating() const { return m_validating; }
    const std::optional<values::RunSummary>& summary() const { return m_summary; }

    /// Smoothed loss and accuracy after each step, as many as steps(). NaN stays NaN.
    const std::vector<double>& smoothedLoss() const { return m_smoothedLoss; }
    const std::vector<double>& smoothedAccuracy() const { return m_smoothedAccuracy; }

    /// Share of the weights' updates that rounding took away, smoothed, 0 to 1; nothing before it is known.
    const std::optional<double>& lostUpdates() const { return m_lostUpdates; }
    std::int64_t skippedSteps() const { return m_skipped; }
    std::int64_t warmUpSteps() const;
    /// Over the last full batches after warm-up; nothing before there are three.
    std::optional<StepTime> stepTime() const;
    /// Of the same steps, waiting for data included.
    std::optional<double> imagesPerSecond() const;
    /// Steps and validation batches of those planned: 1 when the last one is done, not before.
    double shareDone() const;
    /// Training and validation that are left; nothing while it cannot be said.
    std::optional<double> secondsLeft() const;

private:
    std::vector<values::StepRecord> recentSteps() const;
    double validationSeconds() const;
    std::int64_t plannedValidation() const; ///< batches of the whole run
    std::int64_t validated() const;

    values::ExperimentConfig m_config;
    std::optional<values::DataProgress> m_preparing;
    std::optional<values::RunPlan> m_plan;
    std::vector<values::StepRecord> m_steps;
    std::vector<values::EpochRecord> m_epochs;
    std::optional<values::ValidationProgress> m_validating;
    std::optional<values::RunSummary> m_summary;
    analysis::ExponentialSmoother m_lossSmoother{0.9};
    analysis::ExponentialSmoother m_accuracySmoother{0.9};
    analysis::ExponentialSmoother m_lostUpdatesSmoother{0.9};
    std::optional<double> m_lostUpdates;
    std::vector<double> m_smoothedLoss;
    std::vector<double> m_smoothedAccuracy;
    std::int64_t m_skipped = 0;
};

} // namespace halfstep::ui
