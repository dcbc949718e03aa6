// What it costs to record the numbers of a step's tensors: steps with and without, interleaved in one process.
// Usage: numerics_benchmark [image size] [batch size] [threads] [rounds] [every N-th step]
#include "engine/analysis/statistics.h"
#include "engine/backend/machine.h"
#include "engine/train/numerics_observer.h"
#include "tests/bench/engine/made_steps.h"
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace halfstep;
    const auto argument = [&](int index, int otherwise) { return argc > index ? std::atoi(argv[index]) : otherwise; };
    const int imageSize = argument(1, 256), batchSize = argument(2, 32);
    const int threads = argument(3, backend::usableCores()), rounds = argument(4, 7), every = argument(5, 10);

    std::vector<std::unique_ptr<bench::Steps>> steps;
    for (const precision::Policy policy : precision::kPolicies) {
        steps.push_back(std::make_unique<bench::Steps>(policy, imageSize, batchSize, threads));
    }
    std::vector<std::vector<double>> plain(steps.size()), extra(steps.size());
    for (int round = -1; round < rounds; ++round) { // round -1 warms up
        for (std::size_t i = 0; i < steps.size(); ++i) {
            train::NumericsObserver observer(steps[i]->device());
            const double without = steps[i]->run();
            const double with = steps[i]->run(&observer);
            if (round >= 0) {
                plain[i].push_back(without);
                extra[i].push_back(with - without);
            }
        }
    }
    fmt::print("{}, {} threads, {}x{}, batch {}, {} interleaved rounds\n", backend::cpuName(), threads, imageSize,
               imageSize, batchSize, rounds);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double step = analysis::median(plain[i]).value();
        const analysis::Quartiles more = analysis::quartiles(extra[i]).value();
        fmt::print("{:<34} step {:8.1f} ms, recording adds {:6.1f} ms (quartiles {:.1f} to {:.1f}); every {} steps: "
                   "{:.2f} % of the time\n",
                   steps[i]->text(), step, more.median, more.q25, more.q75, every,
                   100 * more.median / (step * every));
    }
}
