// The verbs of CudaBackend around batch normalization.
#include "engine/backend/cuda/cuda_backend.h"
#include <stdexcept>

namespace halfstep::backend::cuda {

void CudaBackend::biasReluBackward(const Tensor&, const Tensor&, const Tensor&) {
    throw std::logic_error("biasReluBackward is not written yet");
}

void CudaBackend::batchNormTrain(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                                 const Tensor&) {
    throw std::logic_error("batchNormTrain is not written yet");
}

void CudaBackend::batchNormInference(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                                     const Tensor&) {
    throw std::logic_error("batchNormInference is not written yet");
}

void CudaBackend::batchNormBackward(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&, const Tensor&,
                                    const Tensor&, const Tensor&, const Tensor&) {
    throw std::logic_error("batchNormBackward is not written yet");
}

void CudaBackend::batchNormReluBackward(const Tensor&, const Tensor&, const Tensor&, float, const Tensor&,
                                        const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&) {
    throw std::logic_error("batchNormReluBackward is not written yet");
}

} // namespace halfstep::backend::cuda
