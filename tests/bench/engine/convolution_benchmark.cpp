// Times every pass of the article's three convolutions, as our back end does them and as oneDNN runs them (direct,
// whole batch, its own threads and layouts, no reorder counted), interleaved in one process.
// Usage: convolution_benchmark [image size] [batch size] [threads] [rounds] [dtype] [instruction set]
#include "engine/analysis/statistics.h"
#include "engine/backend/backend.h"
#include "engine/backend/machine.h"
#include "engine/tensor/random.h"
#include "tests/bench/engine/one_dnn_convolutions.h"
#include <array>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace halfstep;
using tensor::DType;
using tensor::Tensor;

constexpr std::array<const char*, 3> kPasses{"forward", "backward weights", "backward data"};

/// One layer on our back end, with drawn tensors.
class Layer {
public:
    Layer(backend::Backend& device, DType dtype, int batch, int size, int channels, int filters, int kernel)
        : m_device(device),
          m_x(drawn(dtype, {batch, size, size, channels})),
          m_w(drawn(dtype, {kernel, kernel, channels, filters})),
          m_b(drawn(dtype, {filters})),
          m_y(drawn(dtype, {batch, size / 2, size / 2, filters})),
          m_dx(device.allocate(dtype, m_x.shape)),
          m_dw(device.allocate(dtype, m_w.shape)) {}

    double run(std::size_t pass) {
        const auto start = std::chrono::steady_clock::now();
        if (pass == 0) {
            m_device.conv2dBiasRelu(m_x, m_w, m_b, {2}, m_y);
        } else if (pass == 1) {
            m_device.conv2dBackwardWeights(m_x, m_y, {2}, m_dw);
        } else {
            m_device.conv2dBackwardData(m_w, m_y, {2}, m_dx);
        }
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

private:
    Tensor drawn(DType dtype, const tensor::Shape& shape) {
        tensor::Random random(1);
        std::vector<float> values(static_cast<std::size_t>(shape.count()));
        for (float& value : values) {
            value = static_cast<float>(random.between(-0.1, 0.1));
        }
        Tensor tensor = m_device.allocate(dtype, shape);
        m_device.upload(values, tensor);
        return tensor;
    }

    backend::Backend& m_device;
    Tensor m_x, m_w, m_b, m_y, m_dx, m_dw;
};

double medianOf(const std::vector<double>& sample) {
    return analysis::quartiles(sample).value().median;
}

} // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int index, int otherwise) { return argc > index ? std::atoi(argv[index]) : otherwise; };
    const int imageSize = argument(1, 256), batch = argument(2, 32);
    const int threads = argument(3, backend::usableCores()), rounds = argument(4, 5);
    const std::string_view name = argc > 5 ? argv[5] : "float32";
    const DType dtype = name == "float16" ? DType::Float16 : name == "bfloat16" ? DType::BFloat16 : DType::Float32;

    const std::string isa = argc > 6 ? argv[6] : "auto";

    const auto device = backend::makeBackend({.threads = threads, .isa = isa, .convolution = "auto"});
    struct Rivals {
        const char* name;
        std::size_t passes;
        Layer ours;
        bench::OneDnnConvolutions theirs;
        std::array<std::vector<double>, 3> ourTimes{}, theirTimes{}, ratios{};
    };
    const auto rivals = [&](const char* layer, int size, int channels, int filters, int kernel, bool dataGradient) {
        return Rivals{layer, dataGradient ? 3U : 2U, Layer(*device, dtype, batch, size, channels, filters, kernel),
                      bench::OneDnnConvolutions({batch, size, channels, filters, kernel, dataGradient}, threads)};
    };
    std::array<Rivals, 3> layers{rivals("conv1", imageSize, 3, 32, 5, false),
                                 rivals("conv2", imageSize / 2, 32, 64, 7, true),
                                 rivals("conv3", imageSize / 4, 64, 128, 11, true)};
    std::array<std::vector<double>, 3> totals;      // ours, theirs, ratio
    for (int round = -1; round < rounds; ++round) { // round -1 warms up
        double ourTotal = 0, theirTotal = 0;
        for (Rivals& layer : layers) {
            for (std::size_t pass = 0; pass < layer.passes; ++pass) {
                const double our = layer.ours.run(pass), their = layer.theirs.run(pass);
                ourTotal += our;
                theirTotal += their;
                if (round >= 0) {
                    layer.ourTimes[pass].push_back(our);
                    layer.theirTimes[pass].push_back(their);
                    layer.ratios[pass].push_back(their / our);
                }
            }
        }
        if (round >= 0) {
            totals[0].push_back(ourTotal);
            totals[1].push_back(theirTotal);
            totals[2].push_back(theirTotal / ourTotal);
        }
    }
    fmt::print("{}, {}, {}x{} pictures, batch {}, {}, {} interleaved rounds, oneDNN {}\n", backend::cpuName(),
               device->text(), imageSize, imageSize, batch, name, rounds, backend::oneDnnVersion());
    for (const Rivals& layer : layers) {
        for (std::size_t pass = 0; pass < layer.passes; ++pass) {
            const analysis::Quartiles ratio = analysis::quartiles(layer.ratios[pass]).value();
            fmt::print("{} {:<17} ours {:8.2f} ms   oneDNN {:8.2f} ms   {:5.2f} times faster, quartiles {:.2f} to "
                       "{:.2f}\n",
                       layer.name, kPasses[pass], medianOf(layer.ourTimes[pass]), medianOf(layer.theirTimes[pass]),
                       ratio.median, ratio.q25, ratio.q75);
        }
    }
    const analysis::Quartiles ratio = analysis::quartiles(totals[2]).value();
    fmt::print("all eight               ours {:8.2f} ms   oneDNN {:8.2f} ms   {:5.2f} times faster, quartiles {:.2f} "
               "to {:.2f}\ntensors and scratch at most {:.0f} MiB\n",
               medianOf(totals[0]), medianOf(totals[1]), ratio.median, ratio.q25, ratio.q75,
               static_cast<double>(device->peakBytes()) / (1 << 20));
}
