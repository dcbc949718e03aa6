#include "engine/train/training_step.h"

namespace halfstep::train {

StepOutcome TrainingStep::run(std::span<const std::int64_t> labels) {
    StepOutcome outcome;
    if (m_scaler != nullptr) {
        outcome.lossScale = m_scaler->scale();
    }
    const float lossScale = static_cast<float>(outcome.lossScale.value_or(1.0));

    m_network.forward(nn::Mode::Training);
    const backend::LossResult loss = m_network.loss(labels, lossScale);
    outcome.loss = loss.lossSum / static_cast<double>(labels.size());
    outcome.correct = loss.correct;

    m_network.backward();
    outcome.gradientsFinite = m_network.unscaleGradients(lossScale);
    if (outcome.gradientsFinite) {
        m_optimizer.apply();
        m_network.updateMovingAverages();
    }
    if (m_scaler != nullptr) {
        m_scaler->update(outcome.gradientsFinite);
    }
    return outcome;
}

} // namespace halfstep::train
