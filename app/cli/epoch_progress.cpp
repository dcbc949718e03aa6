#include "app/cli/epoch_progress.h"
#include "app/cli/text.h"
#include "engine/analysis/statistics.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::app {
namespace {
constexpr std::int64_t kBarWidth = 30; // as in Keras
/// Before the first validation is measured: a forward pass is about a third of a step.
constexpr double kForwardShare = 1.0 / 3;
} // namespace

bool EpochProgress::take(const values::StepRecord& step, double now) {
    const bool begins = step.epoch != m_epoch;
    if (begins) {
        m_epoch = step.epoch;
        m_stepsDone = m_timedSteps = m_validationDone = 0;
        m_images = m_lossSum = m_accuracySum = m_timedMilliseconds = m_allMilliseconds = m_validationSeconds = 0;
    }
    m_step = step.step;
    ++m_stepsDone;
    m_images += step.batchSize;
    m_lossSum += step.loss * step.batchSize;
    m_accuracySum += step.accuracy * step.batchSize;
    m_allMilliseconds += step.stepMilliseconds;
    m_fullBatch = std::max(m_fullBatch, step.batchSize);
    const std::int64_t warmUp = analysis::warmUpSteps(m_plan.totalSteps);
    if (step.step > warmUp && step.batchSize == m_fullBatch) {
        m_timedMilliseconds += step.stepMilliseconds;
        ++m_timedSteps;
    }
    if (step.step == warmUp + 1) { // until here the warm-up's own times had to do
        m_runSeconds = 0;
        m_runSteps = 0;
    }
    m_runSeconds += (step.stepMilliseconds + step.dataWaitMilliseconds) / 1000;
    ++m_runSteps;
    m_lastStepAt = now;
    return begins;
}

void EpochProgress::take(const values::ValidationProgress& progress, double now) {
    m_validationDone = progress.done;
    m_validationSeconds = now - m_lastStepAt;
}

void EpochProgress::take(const values::EpochRecord&) {
    if (m_validationDone > 0) {
        m_secondsPerValidationBatch = m_validationSeconds / static_cast<double>(m_validationDone);
    }
}

/// The last epoch of a run that ends by its number of steps may be short.
std::int64_t EpochProgress::plannedSteps() const {
    const std::int64_t before = (m_epoch - 1) * m_plan.stepsPerEpoch;
    return std::clamp<std::int64_t>(m_plan.totalSteps - before, 1, std::max<std::int64_t>(m_plan.stepsPerEpoch, 1));
}

bool EpochProgress::reachesValidation() const {
    return plannedSteps() == m_plan.stepsPerEpoch;
}

std::int64_t EpochProgress::secondsLeft() const {
    const double perStep = m_runSteps > 0 ? m_runSeconds / static_cast<double>(m_runSteps) : 0;
    double left = static_cast<double>(std::max<std::int64_t>(plannedSteps() - m_stepsDone, 0)) * perStep;
    if (reachesValidation()) {
        const double perBatch = m_validationDone > 0 ? m_validationSeconds / static_cast<double>(m_validationDone)
                                                     : m_secondsPerValidationBatch.value_or(perStep * kForwardShare);
        left +=
            static_cast<double>(std::max<std::int64_t>(m_plan.validationBatches - m_validationDone, 0)) * perBatch;
    }
    constexpr double kMost = 1e9; // some 30 years
    return static_cast<std::int64_t>(std::ceil(std::clamp(std::isfinite(left) ? left : kMost, 1.0, kMost)));
}

std::string EpochProgress::title() const {
    return fmt::format("Epoch {}/{}", m_epoch, m_plan.epochs);
}

std::string EpochProgress::drawnBar(std::int64_t width) const {
    const std::int64_t planned = plannedSteps();
    const std::int64_t filled = std::min(m_stepsDone, planned) * width / planned;
    std::string bar(static_cast<std::size_t>(filled), '=');
    if (filled < width) {
        bar += '>';
    }
    bar.resize(static_cast<std::size_t>(width), '.');
    const std::string total = fmt::format("{}", planned);
    return fmt::format("{:>{}}/{} [{}]", m_stepsDone, total.size(), total, bar);
}

std::string EpochProgress::means() const {
    return fmt::format("loss: {:.4f} - accuracy: {:.4f}", m_lossSum / m_images, m_accuracySum / m_images);
}

std::string EpochProgress::bar(std::size_t columns) const {
    const std::string rest = fmt::format(" - ETA: {} - {}", durationText(secondsLeft()), means());
    const auto space =
        static_cast<std::int64_t>(columns) - static_cast<std::int64_t>(drawnBar(0).size() + rest.size());
    return drawnBar(std::clamp<std::int64_t>(space, 1, kBarWidth)) + rest;
}

std::string EpochProgress::cutOff() const {
    return fmt::format("{} - {}", drawnBar(kBarWidth), means());
}

std::string EpochProgress::result(const values::EpochRecord& epoch) const {
    const double perStep = m_timedSteps > 0
                               ? m_timedMilliseconds / static_cast<double>(m_timedSteps)
                               : m_allMilliseconds / static_cast<double>(std::max<std::int64_t>(m_stepsDone, 1));
    std::string line =
        fmt::format("{} - {} {}ms/step - loss: {:.4f} - accuracy: {:.4f}", drawnBar(kBarWidth),
                    durationText(std::llround(epoch.seconds)), millisecondsText(perStep), epoch.loss, epoch.accuracy);
    if (epoch.valLoss && epoch.valAccuracy) {
        line += fmt::format(" - val_loss: {:.4f} - val_accuracy: {:.4f}", *epoch.valLoss, *epoch.valAccuracy);
    }
    return line;
}

} // namespace halfstep::app
