// Times a training step of every policy against oneDNN's bare convolutions, interleaved in one process, so that drift
// of the machine hits both alike. Usage: step_benchmark [image size] [batch size] [threads] [rounds]
// [auto|fft|direct]
#include "engine/analysis/statistics.h"
#include "engine/backend/backend.h"
#include "engine/backend/machine.h"
#include "engine/nn/convnet.h"
#include "engine/optim/adam.h"
#include "engine/tensor/random.h"
#include "engine/train/training_step.h"
#include "tests/bench/engine/one_dnn_convolutions.h"
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <vector>

namespace {

using namespace halfstep;

/// A network that trains on one made batch.
class Steps {
public:
    Steps(precision::Policy policy, int imageSize, int batchSize, int threads, const std::string& convolution)
        : m_device(backend::makeBackend({.threads = threads, .convolution = convolution})),
          m_network(
              m_device,
              {.policy = policy, .height = imageSize, .width = imageSize, .classes = 10, .batchCapacity = batchSize}),
          m_optimizer(m_device, m_network.variables(), {}),
          m_step(m_network, m_optimizer, m_network.traits().dynamicLossScaling ? &m_scaler : nullptr),
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
    double run() {
        const auto start = std::chrono::steady_clock::now();
        m_device->normalizeImages(m_images, m_network.input(static_cast<std::int64_t>(m_labels.size())));
        m_step.run(m_labels);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    std::string text() const { return fmt::format("{} on {}", m_network.traits().name, m_device->text()); }
    double peakMebibytes() const { return static_cast<double>(m_device->peakBytes()) / (1 << 20); }

private:
    std::shared_ptr<backend::Backend> m_device;
    nn::ConvNet m_network;
    optim::Adam m_optimizer;
    precision::LossScaler m_scaler;
    train::TrainingStep m_step;
    std::vector<std::uint8_t> m_images;
    std::vector<std::int64_t> m_labels;
};

void print(const std::string& what, const std::vector<double>& sample, const char* unit) {
    const analysis::Quartiles q = analysis::quartiles(sample).value();
    fmt::print("{:<44} median {:9.3f} {}   quartiles {:9.3f} to {:9.3f}\n", what, q.median, unit, q.q25, q.q75);
}

} // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int index, int otherwise) { return argc > index ? std::atoi(argv[index]) : otherwise; };
    const int imageSize = argument(1, 256), batchSize = argument(2, 32);
    const int threads = argument(3, backend::usableCores()), rounds = argument(4, 5);
    const std::string convolution = argc > 5 ? argv[5] : "auto";

    bench::OneDnnConvolutions convolutions(imageSize, batchSize, threads);
    std::vector<std::unique_ptr<Steps>> steps;
    for (const precision::Policy policy : precision::kPolicies) {
        steps.push_back(std::make_unique<Steps>(policy, imageSize, batchSize, threads, convolution));
    }
    std::vector<double> bare;
    std::vector<std::vector<double>> whole(steps.size()), ratios(steps.size());
    for (int round = -1; round < rounds; ++round) { // round -1 warms up
        const double convolutionMilliseconds = convolutions.run();
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const double milliseconds = steps[i]->run();
            if (round >= 0) {
                whole[i].push_back(milliseconds);
                ratios[i].push_back(milliseconds / convolutionMilliseconds);
            }
        }
        if (round >= 0) {
            bare.push_back(convolutionMilliseconds);
        }
    }
    fmt::print("{}, {} threads, {}x{}, batch {}, convolution {}, {} interleaved rounds, oneDNN {}\n",
               backend::cpuName(), threads, imageSize, imageSize, batchSize, convolution, rounds,
               backend::oneDnnVersion());
    print("oneDNN, the eight convolutions alone", bare, "ms");
    for (std::size_t i = 0; i < steps.size(); ++i) {
        print("step, " + steps[i]->text(), whole[i], "ms");
        print("  over oneDNN's convolutions", ratios[i], "x ");
        fmt::print("  tensors and scratch at most {:.0f} MiB\n", steps[i]->peakMebibytes());
    }
}
