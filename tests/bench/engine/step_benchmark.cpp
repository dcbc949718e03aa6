// Times a training step of every policy against oneDNN's bare convolutions, interleaved in one process, so that drift
// of the machine hits both alike. Usage: step_benchmark [image size] [batch size] [threads] [rounds]
// [auto|fft|direct]
#include "engine/backend/backend.h"
#include "engine/backend/machine.h"
#include "tests/bench/engine/made_steps.h"
#include "tests/bench/engine/one_dnn_convolutions.h"
#include "tests/bench/engine/print_quartiles.h"
#include <cstdlib>
#include <fmt/format.h>
#include <vector>

using namespace halfstep;

int main(int argc, char** argv) {
    const auto argument = [&](int index, int otherwise) { return argc > index ? std::atoi(argv[index]) : otherwise; };
    const int imageSize = argument(1, 256), batchSize = argument(2, 32);
    const int threads = argument(3, backend::usableCores()), rounds = argument(4, 5);
    const std::string convolution = argc > 5 ? argv[5] : "auto";

    bench::OneDnnConvolutions convolutions(imageSize, batchSize, threads);
    std::vector<std::unique_ptr<bench::Steps>> steps;
    for (const precision::Policy policy : precision::kPolicies) {
        steps.push_back(std::make_unique<bench::Steps>(policy, imageSize, batchSize, threads, convolution));
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
    bench::printQuartiles("oneDNN, the eight convolutions alone", bare, "ms");
    for (std::size_t i = 0; i < steps.size(); ++i) {
        bench::printQuartiles("step, " + steps[i]->text(), whole[i], "ms");
        bench::printQuartiles("  over oneDNN's convolutions", ratios[i], "x ");
        fmt::print("  tensors and scratch at most {:.0f} MiB\n", steps[i]->peakMebibytes());
    }
}
