#include "engine/backend/cuda/device_tensor.h"
#include <fmt/format.h>

namespace halfstep::backend::cuda {

tensor::Tensor allocateTensor(const DeviceMemory& memory, tensor::DType dtype, const tensor::Shape& shape) {
    const std::string purpose = fmt::format("a {} tensor {}", nameOf(dtype), shape.text());
    std::int64_t bytes = static_cast<std::int64_t>(tensor::bytesOf(dtype));
    for (int dimension = 0; dimension < 4; ++dimension) {
        if (__builtin_mul_overflow(bytes, shape[dimension], &bytes)) {
            throw OutOfMemoryError(fmt::format("{} has more bytes than any card can address", purpose),
                                   "Lower the batch size or the image size.");
        }
    }
    return {dtype, shape, memory.allocate(static_cast<std::size_t>(bytes), purpose)};
}

} // namespace halfstep::backend::cuda
