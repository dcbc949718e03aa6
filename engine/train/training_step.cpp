#include "engine/train/training_step.h"
#include <fmt/format.h>

namespace halfstep::train {
namespace {

/// Remembers the first tensor that has an element which is not finite.
class NonFiniteFinder final : public nn::StepObserver {
public:
    explicit NonFiniteFinder(backend::Backend& device) : m_device(device) {}

    void saw(const nn::ObservedTensor& observed) override {
        if (m_found.empty() && m_device.exponents(observed.tensor).nonFinite() > 0) {
            m_found = fmt::format("{} {} ({})", observed.layer, observed.name, nameOf(observed.pass));
        }
    }
    const std::string& found() const { return m_found; }

private:
    backend::Backend& m_device;
    std::string m_found;
};

} // namespace

backend::LossResult TrainingStep::pass(std::span<const std::int64_t> labels, float lossScale,
                                       nn::StepObserver* observer) {
    m_network.observe(observer);
    enter(Phase::Forward);
    m_network.forward(nn::Mode::Training);
    const backend::LossResult loss = m_network.loss(labels, lossScale);
    enter(Phase::Backward);
    m_network.backward();
    m_network.observe(nullptr);
    return loss;
}

/// Makes the passes once more and looks at every tensor: gradients are overwritten in place by what follows, and
/// looking each time would cost every step. Nothing has changed since, so the passes repeat themselves to the bit.
std::string TrainingStep::firstNonFinite(std::span<const std::int64_t> labels, float lossScale) {
    NonFiniteFinder finder(m_device);
    pass(labels, lossScale, &finder);
    return finder.found();
}

void TrainingStep::update(StepOutcome& outcome) {
    outcome.updates = m_optimizer.apply();
    if (m_clock != nullptr) {
        m_clock->lap("variables", "optimizer");
    }
    m_network.updateMovingAverages();
}

StepOutcome TrainingStep::runTimed(std::span<const std::int64_t> labels, nn::StepClock& clock) {
    m_clock = &clock;
    m_network.time(&clock);
    StepOutcome outcome = run(labels);
    m_network.time(nullptr);
    m_clock = nullptr;
    return outcome;
}

StepOutcome TrainingStep::run(std::span<const std::int64_t> labels, nn::StepObserver* observer) {
    StepOutcome outcome;
    if (m_scaler != nullptr) {
        outcome.lossScale = m_scaler->scale();
    }
    const float lossScale = static_cast<float>(outcome.lossScale.value_or(1.0));

    const backend::LossResult loss = pass(labels, lossScale, observer);
    outcome.lossSum = loss.lossSum;
    outcome.loss = loss.lossSum / static_cast<double>(labels.size());
    outcome.correct = loss.correct;

    enter(Phase::Optimizer);
    outcome.gradientsFinite = m_network.unscaleGradients(lossScale);
    if (outcome.gradientsFinite) {
        update(outcome);
    } else {
        outcome.firstNonFinite = firstNonFinite(labels, lossScale);
        m_network.unscaleGradients(lossScale); // the passes were made once more
    }
    if (m_scaler != nullptr) {
        m_scaler->update(outcome.gradientsFinite);
    }
    return outcome;
}

} // namespace halfstep::train
