// Times one training step on every instruction set of this machine, and on one and more threads, interleaved in one
// process. Usage: variants_benchmark [image size] [batch size] [rounds] [policy]
#include "engine/backend/backend.h"
#include "engine/backend/devices.h"
#include "engine/backend/machine.h"
#include "tests/bench/engine/made_steps.h"
#include "tests/bench/engine/print_quartiles.h"
#include <cstdlib>
#include <fmt/format.h>
#include <vector>

namespace {

using namespace halfstep;

struct Variant {
    std::string name;
    std::unique_ptr<bench::Steps> steps;
    std::vector<double> milliseconds{}, ratios{};
};

} // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int index, int otherwise) { return argc > index ? std::atoi(argv[index]) : otherwise; };
    const int imageSize = argument(1, 256), batchSize = argument(2, 32), rounds = argument(3, 7);
    const precision::Policy policy = precision::policyNamed(argc > 4 ? argv[4] : "float32").value();
    const int cores = backend::usableCores();

    std::vector<Variant> variants;
    const auto add = [&](const std::string& name, int threads, const std::string& isa) {
        variants.push_back(
            {name, std::make_unique<bench::Steps>(policy, imageSize, batchSize, threads, "auto", isa)});
    };
    const std::vector<std::string> isas = backend::devices().front().isas;
    for (const std::string& isa : isas) {
        add(fmt::format("{}, {} threads", isa, cores), cores, isa);
    }
    for (int threads = cores - 1; threads > 0; --threads) {
        add(fmt::format("{}, {} thread{}", isas.front(), threads, threads == 1 ? "" : "s"), threads, isas.front());
    }
    for (int round = -1; round < rounds; ++round) { // round -1 warms up
        double first = 0;
        for (Variant& variant : variants) {
            const double milliseconds = variant.steps->run();
            first = &variant == &variants.front() ? milliseconds : first;
            if (round >= 0) {
                variant.milliseconds.push_back(milliseconds);
                variant.ratios.push_back(milliseconds / first);
            }
        }
    }
    fmt::print("{}, {}x{}, batch {}, {}, {} interleaved rounds\n", backend::cpuName(), imageSize, imageSize,
               batchSize, precision::traitsOf(policy).name, rounds);
    for (const Variant& variant : variants) {
        bench::printQuartiles(variant.name, variant.milliseconds, "ms");
        bench::printQuartiles("  over the first", variant.ratios, "x ");
    }
}
