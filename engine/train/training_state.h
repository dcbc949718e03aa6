#pragma once
#include "engine/nn/convnet.h"
#include "engine/optim/optimizer.h"
#include "engine/precision/loss_scaler.h"
#include "engine/train/checkpoint.h"
#include "engine/values/experiment_config.h"
#include <memory>
#include <optional>
#include <vector>

namespace halfstep::train {

/// The network of a run.
nn::ConvNet::Options networkOptions(const values::ExperimentConfig& config, std::int64_t classes);

/// Plain gradient descent takes the learning rate of `options` alone.
std::unique_ptr<optim::Optimizer> makeOptimizer(const std::shared_ptr<backend::Backend>& device, nn::ConvNet& network,
                                                values::OptimizerKind kind, const backend::AdamOptions& options);

/// Everything that the steps of a run change: variables, optimizer and loss scaler, as the configuration asks for
/// them.
struct TrainingState {
    /// With the first weights drawn from the seed.
    TrainingState(const values::ExperimentConfig& config, std::int64_t classes,
                  std::shared_ptr<backend::Backend> onDevice);
    /// One for tiny pictures, to try what fits: the shapes of weights do not depend on the size of pictures.
    static TrainingState forTrying(const values::ExperimentConfig& config, std::int64_t classes);

    /// Throws DataError (requireFitting).
    void load(const std::vector<NamedArray>& weights, const ArrayUse& use);

    /// Fills in what the steps change.
    void putInto(Checkpoint& checkpoint);
    /// Throws DataError if the checkpoint is of another network.
    void restore(const Checkpoint& checkpoint);

    bool weightsAreFinite();

    std::shared_ptr<backend::Backend> device;
    nn::ConvNet network;
    std::unique_ptr<optim::Optimizer> optimizer;
    std::optional<precision::LossScaler> scaler;

private:
    std::vector<NamedTensor> optimizerTensors() const;
};

} // namespace halfstep::train
