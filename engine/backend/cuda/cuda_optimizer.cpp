// The verbs of CudaBackend on variables and their gradients.
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/scratch_sizes.h"
#include <array>
#include <cmath>

namespace halfstep::backend::cuda {

void CudaBackend::movingAverage(const Tensor& batch, float momentum, const Tensor& moving) {
    m_kernels.launch("moving_average", moving.dtype, forElements(batch.count()), devicePointer(batch.data.get()),
                     batch.count(), momentum, devicePointer(moving.data.get()));
}

bool CudaBackend::unscale(const Tensor& gradient, float lossScale, const Tensor& to) {
    const char* name = gradient.dtype == DType::Float32   ? "unscale_from_float32"
                       : gradient.dtype == DType::Float16 ? "unscale_from_float16"
                                                          : "unscale_from_bfloat16";
    std::byte* flag = clearedScratch(kUnscaleScratchBytes);
    m_kernels.launch(name, to.dtype, forElements(gradient.count()), devicePointer(gradient.data.get()),
                     gradient.count(), lossScale, devicePointer(to.data.get()), devicePointer(flag));
    int notFinite = 0;
    toHost(flag, sizeof notFinite, &notFinite);
    return notFinite == 0;
}

UpdateCounts CudaBackend::countedUpdates(const std::byte* counts) {
    std::array<std::uint64_t, 2> both{};
    toHost(counts, sizeof both, both.data());
    return {.wanted = static_cast<std::int64_t>(both[0]), .lost = static_cast<std::int64_t>(both[1])};
}

UpdateCounts CudaBackend::adam(const Tensor& gradient, const AdamOptions& options, std::int64_t iteration,
                               const Tensor& m, const Tensor& v, const Tensor& w) {
    const double t = static_cast<double>(iteration);
    const double alpha =
        options.learningRate * std::sqrt(1 - std::pow(options.beta2, t)) / (1 - std::pow(options.beta1, t));
    const std::byte* counts = clearedScratch(kUpdateScratchBytes);
    m_kernels.launch("adam", w.dtype, forElements(w.count()), devicePointer(gradient.data.get()), w.count(),
                     static_cast<float>(1 - options.beta1), static_cast<float>(1 - options.beta2),
                     static_cast<float>(alpha), static_cast<float>(options.epsilon), devicePointer(m.data.get()),
                     devicePointer(v.data.get()), devicePointer(w.data.get()), devicePointer(counts));
    return countedUpdates(counts);
}

UpdateCounts CudaBackend::sgd(const Tensor& gradient, double learningRate, const Tensor& w) {
    const std::byte* counts = clearedScratch(kUpdateScratchBytes);
    m_kernels.launch("sgd", w.dtype, forElements(w.count()), devicePointer(gradient.data.get()), w.count(),
                     static_cast<float>(learningRate), devicePointer(w.data.get()), devicePointer(counts));
    return countedUpdates(counts);
}

} // namespace halfstep::backend::cuda
