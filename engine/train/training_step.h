#pragma once
#include "engine/nn/convnet.h"
#include "engine/optim/adam.h"
#include "engine/precision/loss_scaler.h"
#include <cstdint>
#include <optional>
#include <span>

namespace halfstep::train {

struct StepOutcome {
    double loss = 0; ///< mean over the batch, unscaled
    std::int64_t correct = 0;
    std::optional<double> lossScale; ///< that was used; empty without loss scaling
    bool gradientsFinite = true;     ///< false: no variable, no optimizer state, no moving average changed
};

/// One step on the images in the network's input: forward, loss, backward, unscale, finite check, Adam.
class TrainingStep {
public:
    /// `scaler` is null for a policy without loss scaling. All outlive this.
    TrainingStep(nn::ConvNet& network, optim::Adam& optimizer, precision::LossScaler* scaler)
        : m_network(network),
          m_optimizer(optimizer),
          m_scaler(scaler) {}

    StepOutcome run(std::span<const std::int64_t> labels);

private:
    nn::ConvNet& m_network;
    optim::Adam& m_optimizer;
    precision::LossScaler* m_scaler;
};

} // namespace halfstep::train
