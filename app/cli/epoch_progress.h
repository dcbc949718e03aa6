#pragma once
#include "engine/values/run_event.h"
#include <cstdint>
#include <optional>
#include <string>

namespace halfstep::app {

/// The lines that Keras shows for an epoch, as text. Times come in as seconds of any steady clock.
class EpochProgress {
public:
    explicit EpochProgress(const values::RunPlan& plan) : m_plan(plan) {}

    /// True if the step begins an epoch.
    bool take(const values::StepRecord& step, double now);
    void take(const values::ValidationProgress& progress, double now);
    void take(const values::EpochRecord& epoch);

    /// "Epoch 3/20"
    std::string title() const;
    /// " 3/7 [===========>..................] - ETA: 8s - loss: 2.3020 - accuracy: 0.1000"
    /// The bar itself, 30 characters wide, is made narrower where the line would be longer than `columns`.
    std::string bar(std::size_t columns) const;
    /// The same without the time, for an epoch that is not completed.
    std::string cutOff() const;
    /// "7/7 [==============================] - 14s 1980ms/step - loss: 2.0134 - accuracy: 0.2800 - val_loss: .."
    std::string result(const values::EpochRecord& epoch) const;
    /// Seconds until the epoch with its validation is over, at least 1.
    std::int64_t secondsLeft() const;

private:
    std::string drawnBar(std::int64_t width) const;
    std::string means() const;
    std::int64_t plannedSteps() const;
    bool reachesValidation() const;

    values::RunPlan m_plan;
    std::int64_t m_step = 0; ///< of the run
    int m_epoch = 0;
    std::int64_t m_stepsDone = 0; ///< in this epoch, likewise the sums
    double m_images = 0;
    double m_lossSum = 0;
    double m_accuracySum = 0;
    double m_timedMilliseconds = 0; ///< of full batches after warm-up
    std::int64_t m_timedSteps = 0;
    double m_allMilliseconds = 0;
    int m_fullBatch = 0;
    double m_runSeconds = 0; ///< steps of the run after warm-up, waiting for data included
    std::int64_t m_runSteps = 0;
    double m_lastStepAt = 0;
    double m_validationSeconds = 0; ///< of this epoch, so far
    std::int64_t m_validationDone = 0;
    std::optional<double> m_secondsPerValidationBatch; ///< as measured in the last validation
};

} // namespace halfstep::app
