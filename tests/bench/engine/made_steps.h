#pragma once
#include "engine/backend/backend.h"
#include "engine/nn/convnet.h"
#include "engine/optim/optimizer.h"
#include "engine/tensor/random.h"
#include "engine/train/training_step.h"
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace halfstep::bench {

/// A network that trains on one made batch.
class Steps {
public:
    Steps(precision::Policy policy, int imageSize, int batchSize, int threads,
          const std::string& convolution = "auto", const std::string& isa = "auto")
        : m_device(backend::makeBackend({.threads = threads, .isa = isa, .convolution = convolution})),
          m_network(
              m_device,
              {.policy = policy, .height = imageSize, .width = imageSize, .classes = 10, .batchCapacity = batchSize}),
          m_optimizer(optim::makeAdam(m_device, m_network.variables(), {})),
          m_step(*m_device, m_network, *m_optimizer, m_network.traits().dynamicLossScaling ? &m_scaler : nullptr),
          m_images(static_cast<std::size_t>(batchSize) * static_cast<std::size_t>(imageSize * imageSize * 3)) {
        m_network.initialize(1);
        tensor::Random random(2);
        for (std::uint8_t& value : m_images) {
            value = static_cast<std::uint8_t>(random.below(256));
        }
        for (int i = 0; i < batchSize; ++i) {
            m_labels.push_back(i % 10);
        }
    }

    /// Milliseconds of one step, from uint8 images to updated weights.
    double run(nn::StepObserver* observer = nullptr) {
        const auto start = std::chrono::steady_clock::now();
        m_device->normalizeImages(m_images, m_network.input(static_cast<std::int64_t>(m_labels.size())));
        m_outcome = m_step.run(m_labels, observer);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    /// Of the last run.
    const train::StepOutcome& outcome() const { return m_outcome; }

    backend::Backend& device() { return *m_device; }
    nn::ConvNet& network() { return m_network; }
    const std::vector<std::uint8_t>& images() const { return m_images; }
    const std::vector<std::int64_t>& labels() const { return m_labels; }
    std::string text() const { return fmt::format("{} on {}", m_network.traits().name, m_device->text()); }
    double peakMebibytes() const { return static_cast<double>(m_device->peakBytes()) / (1 << 20); }

private:
    std::shared_ptr<backend::Backend> m_device;
    nn::ConvNet m_network;
    std::unique_ptr<optim::Optimizer> m_optimizer;
    precision::LossScaler m_scaler;
    train::TrainingStep m_step;
    train::StepOutcome m_outcome;
    std::vector<std::uint8_t> m_images;
    std::vector<std::int64_t> m_labels;
};

} // namespace halfstep::bench
