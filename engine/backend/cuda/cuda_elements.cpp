// The verbs of CudaBackend that look at each element by itself.
#include "engine/backend/cuda/cuda_backend.h"
#include <stdexcept>

namespace halfstep::backend::cuda {

void CudaBackend::cast(const Tensor& x, const Tensor& y) {
    const char* name = x.dtype == DType::Float32   ? "cast_from_float32"
                       : x.dtype == DType::Float16 ? "cast_from_float16"
                                                   : "cast_from_bfloat16";
    m_kernels.launch(name, y.dtype, forElements(x.count()), devicePointer(x.data.get()), devicePointer(y.data.get()),
                     x.count());
}


void CudaBackend::upload(std::span<const float>, const Tensor&) {
    throw std::logic_error("upload is not written yet");
}

void CudaBackend::download(const Tensor&, std::span<float>) {
    throw std::logic_error("download is not written yet");
}

void CudaBackend::normalizeImages(std::span<const std::uint8_t>, const Tensor&) {
    throw std::logic_error("normalizeImages is not written yet");
}

tensor::ExponentHistogram CudaBackend::exponents(const Tensor&) {
    throw std::logic_error("exponents is not written yet");
}

std::shared_ptr<Backend> CudaBackend::rehearsal() const {
    throw std::logic_error("rehearsal is not written yet");
}

} // namespace halfstep::backend::cuda
