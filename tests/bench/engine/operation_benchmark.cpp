// Times every operation of a training step against the machine's own ceilings, measured here: multiply-adds in
// registers, and memory far outside the caches. Then the whole step against what its operations need there.
// Usage: operation_benchmark [image size] [batch size] [threads] [rounds of the whole step] [auto|fft|direct]
//                            [--benchmark_filter=...] and the other options of Google Benchmark
#include "engine/backend/cpu/ceilings.h"
#include "engine/backend/machine.h"
#include "tests/bench/engine/algorithm_counts.h"
#include "tests/bench/engine/step_bound.h"
#include "tests/bench/engine/step_tensors.h"
#include <array>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

namespace {

using namespace halfstep;
using backend::cpu::MachineCeilings;
using tensor::DType;

constexpr std::array kDTypes{DType::Float32, DType::Float16, DType::BFloat16};

/// What one operation needs: by direct summation, and by the algorithm that runs.
struct Needs {
    analysis::OperationCount direct, own;
};

void time(benchmark::State& state, const std::function<void()>& run, const Needs& needs,
          const MachineCeilings& ceilings) {
    run(); // plans and scratch are made
    const auto start = std::chrono::steady_clock::now();
    for (auto _ : state) {
        run();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
                           static_cast<double>(state.iterations());
    const double gflops = needs.own.flops / seconds * 1e-9, gbps = needs.own.bytes / seconds * 1e-9;
    state.counters["GFLOP/s"] = gflops;
    state.counters["GB/s"] = gbps;
    state.counters["of_fma_peak"] = gflops / ceilings.fmaGflops;
    state.counters["of_memory"] = gbps / ceilings.memoryGbps();
    if (needs.direct.flops != needs.own.flops) {
        state.counters["direct_GFLOP/s"] = needs.direct.flops / seconds * 1e-9;
    }
}

void registerOperations(bench::StepTensors& tensors, const analysis::StepShape& step, DType dtype,
                        const std::string& convolution, const MachineCeilings& ceilings) {
    const std::vector<analysis::StepOperation> direct = analysis::stepOperations(step);
    const std::vector<analysis::StepOperation> own = bench::withAlgorithms(step, convolution);
    for (std::size_t i = 0; i < own.size(); ++i) {
        const std::string name = fmt::format("{}/{}/{}", nameOf(dtype), own[i].layer, own[i].operation);
        benchmark::RegisterBenchmark(name.c_str(),
                                     [run = tensors.runner(own[i]), needs = Needs{direct[i].count, own[i].count},
                                      ceilings](benchmark::State& state) { time(state, run, needs, ceilings); })
            ->UseRealTime()
            ->MeasureProcessCPUTime()
            ->Unit(benchmark::kMillisecond);
    }
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv); // takes its own options away
    const auto argument = [&](int index, int otherwise) { return argc > index ? std::atoi(argv[index]) : otherwise; };
    const int imageSize = argument(1, 256), batch = argument(2, 32);
    const int threads = argument(3, backend::usableCores()), rounds = argument(4, 5);
    const std::string convolution = argc > 5 ? argv[5] : "auto";

    const MachineCeilings ceilings = backend::cpu::measureCeilings({.threads = threads});
    fmt::print("{}, {}, {} threads, {}x{}, batch {}, convolution {}\n", backend::cpuName(), ceilings.isa, threads,
               imageSize, imageSize, batch, convolution);
    fmt::print(
        "ceilings: multiply-adds {:.0f} GFLOP/s; memory {:.1f} GB/s (reading {:.1f}, copying {:.1f}, triad {:.1f})\n",
        ceilings.fmaGflops, ceilings.memoryGbps(), ceilings.readGbps, ceilings.copyGbps, ceilings.triadGbps);
    fmt::print("GFLOP/s counts what the algorithm that runs does itself, direct_GFLOP/s what direct summation would; "
               "above 1 "
               "of memory: from the caches\n");

    const auto device = backend::makeBackend({.threads = threads, .convolution = convolution});
    const analysis::StepShape shape{.batch = batch, .height = imageSize, .width = imageSize};
    {
        std::vector<std::unique_ptr<bench::StepTensors>> tensors;
        for (const DType dtype : kDTypes) {
            analysis::StepShape step = shape;
            step.elementBytes = static_cast<int>(tensor::bytesOf(dtype));
            tensors.push_back(std::make_unique<bench::StepTensors>(device, step, dtype));
            registerOperations(*tensors.back(), step, dtype, convolution, ceilings);
        }
        benchmark::RunSpecifiedBenchmarks();
        benchmark::ClearRegisteredBenchmarks();
    }
    bench::printStepBounds(shape, threads, convolution, rounds);
}
