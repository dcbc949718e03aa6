#include "engine/train/training_state.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::train {
namespace {

std::optional<precision::LossScaler> makeScaler(const values::ExperimentConfig& config) {
    const auto options = values::lossScalerOptions(config);
    return options ? std::optional<precision::LossScaler>(*options) : std::nullopt;
}

} // namespace

nn::ConvNet::Options networkOptions(const values::ExperimentConfig& config, std::int64_t classes) {
    return {.policy = config.policy,
            .height = config.imageSize,
            .width = config.imageSize,
            .classes = classes,
            .batchCapacity = config.batchSize};
}

std::unique_ptr<optim::Optimizer> makeOptimizer(const std::shared_ptr<backend::Backend>& device, nn::ConvNet& network,
                                                values::OptimizerKind kind, const backend::AdamOptions& options) {
    return kind == values::OptimizerKind::Sgd ? optim::makeSgd(device, network.variables(), options.learningRate)
                                              : optim::makeAdam(device, network.variables(), options);
}

TrainingState::TrainingState(const values::ExperimentConfig& config, std::int64_t classes,
                             std::shared_ptr<backend::Backend> onDevice)
    : device(std::move(onDevice)),
      network(device, networkOptions(config, classes)),
      optimizer(makeOptimizer(device, network, config.optimizer,
                              {.learningRate = config.learningRate, .epsilon = config.epsilon})),
      scaler(makeScaler(config)) {
    network.initialize(config.seed);
}

TrainingState TrainingState::forTrying(const values::ExperimentConfig& config, std::int64_t classes) {
    values::ExperimentConfig tiny = config;
    tiny.imageSize = 16;
    tiny.batchSize = 1;
    return TrainingState(tiny, classes, backend::makeBackend({.device = "cpu", .threads = 1}));
}

void TrainingState::load(const std::vector<NamedArray>& weights, const ArrayUse& use) {
    upload(*device, weights, variablesOf(network), use);
}

std::vector<NamedTensor> TrainingState::optimizerTensors() const {
    std::vector<NamedTensor> tensors;
    for (const optim::NamedState& state : optimizer->state()) {
        tensors.push_back({state.name, state.tensor});
    }
    return tensors;
}

void TrainingState::putInto(Checkpoint& checkpoint) {
    checkpoint.weights = download(*device, variablesOf(network));
    checkpoint.optimizer = download(*device, optimizerTensors());
    checkpoint.state.iterations = optimizer->iterations();
    checkpoint.state.lossScaler = scaler ? std::optional(scaler->state()) : std::nullopt;
}

void TrainingState::restore(const Checkpoint& checkpoint) {
    constexpr const char* kAdvice = "put the run's own checkpoint back, or start a new run";
    const auto useOf = [&](const char* file) {
        return ArrayUse{.subject = fmt::format("The arrays in \"{}\"", (checkpoint.folder / file).string()),
                        .advice = kAdvice,
                        .mustBeFinite = false}; // a run in 16 bit goes on as it was, whatever it holds
    };
    upload(*device, checkpoint.weights, variablesOf(network), useOf("weights.safetensors"));
    upload(*device, checkpoint.optimizer, optimizerTensors(), useOf("optimizer.safetensors"));
    optimizer->restoreIterations(checkpoint.state.iterations);
    if (checkpoint.state.lossScaler.has_value() != scaler.has_value()) {
        throw DataError(fmt::format("The checkpoint \"{}\" cannot be used: its loss scale does not fit its settings; "
                                    "{}.",
                                    checkpoint.folder.string(), kAdvice));
    }
    if (scaler) {
        scaler->restore(*checkpoint.state.lossScaler);
    }
}

bool TrainingState::weightsAreFinite() {
    return std::ranges::all_of(network.variables(), [this](const nn::Variable& variable) {
        return device->exponents(variable.value).nonFinite() == 0;
    });
}

} // namespace halfstep::train
