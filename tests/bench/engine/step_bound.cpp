#include "tests/bench/engine/step_bound.h"
#include "engine/analysis/statistics.h"
#include "engine/backend/cpu/ceilings.h"
#include "tests/bench/engine/algorithm_counts.h"
#include "tests/bench/engine/made_steps.h"
#include "tests/bench/engine/process_time.h"
#include <array>
#include <fmt/format.h>

namespace halfstep::bench {
namespace {

constexpr std::array kPolicies{precision::Policy::Float32, precision::Policy::MixedFloat16,
                               precision::Policy::MixedBFloat16};

double boundMilliseconds(const std::vector<analysis::StepOperation>& operations,
                         const backend::cpu::MachineCeilings& ceilings) {
    double seconds = 0;
    for (const analysis::StepOperation& operation : operations) {
        seconds += analysis::leastSeconds(operation.count, ceilings.fmaGflops * 1e9, ceilings.memoryGbps() * 1e9);
    }
    return seconds * 1e3;
}

struct Measured {
    std::unique_ptr<Steps> steps;
    std::vector<analysis::StepOperation> own, direct;
    std::vector<double> milliseconds, ownBounds, directBounds, ownShares, directShares, processorShares;
};

void print(const char* what, const std::vector<double>& bounds, const std::vector<double>& shares) {
    const analysis::Quartiles share = analysis::quartiles(shares).value();
    fmt::print("  at the ceilings, {:<28} {:8.2f} ms, {:.3f} of the measured time (quartiles {:.3f} to {:.3f})\n",
               what, analysis::median(bounds).value(), share.median, share.q25, share.q75);
}

} // namespace

void printStepBounds(const analysis::StepShape& shape, int threads, const std::string& convolution, int rounds) {
    std::vector<Measured> all;
    for (const precision::Policy policy : kPolicies) {
        analysis::StepShape step = shape;
        step.elementBytes = static_cast<int>(tensor::bytesOf(precision::traitsOf(policy).computeDType));
        Measured& measured = all.emplace_back();
        measured.steps = std::make_unique<Steps>(policy, static_cast<int>(shape.height),
                                                 static_cast<int>(shape.batch), threads, convolution);
        measured.own = withAlgorithms(step, convolution);
        measured.direct = analysis::stepOperations(step);
        measured.steps->run(); // warms up
    }
    for (int round = 0; round < rounds; ++round) {
        const backend::cpu::MachineCeilings ceilings = backend::cpu::measureCeilings({.threads = threads});
        for (Measured& measured : all) {
            const double before = processMilliseconds();
            const double milliseconds = measured.steps->run();
            const double processor = processMilliseconds() - before;
            measured.milliseconds.push_back(milliseconds);
            measured.ownBounds.push_back(boundMilliseconds(measured.own, ceilings));
            measured.directBounds.push_back(boundMilliseconds(measured.direct, ceilings));
            measured.ownShares.push_back(measured.ownBounds.back() / milliseconds);
            measured.processorShares.push_back(measured.ownBounds.back() * threads / processor);
            measured.directShares.push_back(measured.directBounds.back() / milliseconds);
        }
    }
    for (const Measured& measured : all) {
        if (const auto step = analysis::quartiles(measured.milliseconds)) {
            fmt::print("step, {}: {:.2f} ms (quartiles {:.2f} to {:.2f}, {} rounds)\n", measured.steps->text(),
                       step->median, step->q25, step->q75, rounds);
            print("algorithms that run", measured.ownBounds, measured.ownShares);
            print("the same, by processor time", measured.ownBounds, measured.processorShares);
            print("direct convolution", measured.directBounds, measured.directShares);
        }
    }
}

} // namespace halfstep::bench
