// The verbs of CudaBackend on the network's head.
#include "engine/backend/cuda/cuda_backend.h"
#include <stdexcept>

namespace halfstep::backend::cuda {

void CudaBackend::globalAveragePool(const Tensor&, const Tensor&) {
    throw std::logic_error("globalAveragePool is not written yet");
}

void CudaBackend::globalAveragePoolBackward(const Tensor&, const Tensor&) {
    throw std::logic_error("globalAveragePoolBackward is not written yet");
}

void CudaBackend::dense(const Tensor&, const Tensor&, const Tensor&, const Tensor&) {
    throw std::logic_error("dense is not written yet");
}

void CudaBackend::denseBackward(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                const Tensor&) {
    throw std::logic_error("denseBackward is not written yet");
}

LossResult CudaBackend::softmaxCrossEntropy(const Tensor&, std::span<const std::int64_t>, float, const Tensor*,
                                            std::span<float>) {
    throw std::logic_error("softmaxCrossEntropy is not written yet");
}

} // namespace halfstep::backend::cuda
