// The verbs of CudaBackend on variables and their gradients.
#include "engine/backend/cuda/cuda_backend.h"
#include <stdexcept>

namespace halfstep::backend::cuda {

void CudaBackend::movingAverage(const Tensor&, float, const Tensor&) {
    throw std::logic_error("movingAverage is not written yet");
}

bool CudaBackend::unscale(const Tensor&, float, const Tensor&) {
    throw std::logic_error("unscale is not written yet");
}

UpdateCounts CudaBackend::adam(const Tensor&, const AdamOptions&, std::int64_t, const Tensor&, const Tensor&, const Tensor&) {
    throw std::logic_error("adam is not written yet");
}

UpdateCounts CudaBackend::sgd(const Tensor&, double, const Tensor&) {
    throw std::logic_error("sgd is not written yet");
}

} // namespace halfstep::backend::cuda
