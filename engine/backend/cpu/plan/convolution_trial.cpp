#include "engine/backend/cpu/plan/convolution_trial.h"
#include "engine/backend/cpu/plan/make_convolution.h"
#include "engine/tensor/error.h"
#include "engine/tensor/random.h"
#include <algorithm>
#include <chrono>
#include <limits>
#include <new>

namespace halfstep::backend::cpu {
namespace {

Tensor madeTensor(const MemoryLedger& memory, const Shape& shape, std::uint64_t seed) {
    Tensor tensor{DType::Float32, shape, nullptr};
    tensor.data = memory.allocate(tensor.bytes(), "a trial of a convolution");
    tensor::Random random(seed);
    std::generate_n(tensor.f32(), shape.count(),
                    [&] { return static_cast<float>(random.below(1000)) / 1000.0f - 0.5f; });
    return tensor;
}

} // namespace

double timeConvolution(const ConvolutionMethod& method, const ConvolutionGeometry& g, std::int64_t batch,
                       ThreadPool& pool, const Kernels& kernels, std::string_view isa) {
    using Clock = std::chrono::steady_clock;
    try {
        // Its own memory, given back at the end: a trial is no part of a run's peak.
        const MemoryLedger memory(std::nullopt);
        ConvolutionScratches scratch(pool.threads());
        const auto convolution = makeConvolution(method, g, batch, {pool, kernels, memory, scratch, isa});
        const Tensor x = madeTensor(memory, {batch, g.height, g.width, g.channels}, 1);
        const Tensor w = madeTensor(memory, {g.kernelHeight, g.kernelWidth, g.channels, g.filters}, 2);
        const Tensor b = madeTensor(memory, {g.filters}, 3);
        const Tensor y = madeTensor(memory, {batch, g.outputHeight(), g.outputWidth(), g.filters}, 4);
        ReserveSpace reserve;
        double seconds = 0;
        for (int repetition = 0; repetition < 2; ++repetition) { // the first warms up
            const auto start = Clock::now();
            convolution->forward(x, w, b, y, &reserve);
            convolution->backwardWeights(x, y, w, &reserve);
            convolution->backwardData(w, y, x, &reserve);
            seconds = std::chrono::duration<double>(Clock::now() - start).count();
        }
        return seconds;
    } catch (const OutOfMemoryError&) {
        return std::numeric_limits<double>::infinity();
    } catch (const std::bad_alloc&) {
        return std::numeric_limits<double>::infinity();
    }
}

} // namespace halfstep::backend::cpu
