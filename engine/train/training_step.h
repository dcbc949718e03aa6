#pragma once
#include "engine/nn/convnet.h"
#include "engine/optim/optimizer.h"
#include "engine/precision/loss_scaler.h"
#include "engine/train/whereabouts.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace halfstep::train {

struct StepOutcome {
    double lossSum = 0; ///< cross-entropy summed over the batch, unscaled
    double loss = 0;    ///< its mean over the batch
    std::int64_t correct = 0;
    std::optional<double> lossScale; ///< that was used; empty without loss scaling
    bool gradientsFinite = true;     ///< false: no variable, no optimizer state, no moving average changed
    std::string firstNonFinite;      ///< the first tensor of the step with an infinite or NaN element, if one was
                                     ///< found: "conv2d_2 kernel gradient (backward)"
    backend::UpdateCounts updates;
};

/// One step on the images in the network's input: forward, loss, backward, unscale, finite check, update.
class TrainingStep {
public:
    /// `scaler` is null where gradients are not scaled. All outlive this.
    TrainingStep(backend::Backend& device, nn::ConvNet& network, optim::Optimizer& optimizer,
                 precision::LossScaler* scaler)
        : m_device(device),
          m_network(network),
          m_optimizer(optimizer),
          m_scaler(scaler) {}

    /// Keeps the phase up to date in `where`, which outlives this.
    void tell(Whereabouts& where) { m_where = &where; }

    /// `observer` sees the step's tensors, if it is not null.
    StepOutcome run(std::span<const std::int64_t> labels, nn::StepObserver* observer = nullptr);
    /// The same step, told to `clock` operation by operation. After a step that is skipped comes more, which looks
    /// for what was not finite; the clock hears of that, too.
    StepOutcome runTimed(std::span<const std::int64_t> labels, nn::StepClock& clock);

private:
    backend::LossResult pass(std::span<const std::int64_t> labels, float lossScale, nn::StepObserver* observer);
    std::string firstNonFinite(std::span<const std::int64_t> labels, float lossScale);
    void update(StepOutcome& outcome);
    void enter(Phase phase) {
        if (m_where != nullptr) {
            m_where->phase = phase;
        }
    }

    backend::Backend& m_device;
    nn::ConvNet& m_network;
    optim::Optimizer& m_optimizer;
    precision::LossScaler* m_scaler;
    nn::StepClock* m_clock = nullptr;
    Whereabouts* m_where = nullptr;
};

} // namespace halfstep::train
