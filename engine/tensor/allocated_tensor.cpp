#include "engine/tensor/allocated_tensor.h"
#include "engine/tensor/error.h"
#include <cstdint>
#include <fmt/format.h>

namespace halfstep::tensor {

std::string purposeOf(DType dtype, const Shape& shape) {
    return fmt::format("a {} tensor {}", nameOf(dtype), shape.text());
}

std::size_t addressableBytes(DType dtype, const Shape& shape) {
    std::int64_t bytes = static_cast<std::int64_t>(bytesOf(dtype));
    for (int dimension = 0; dimension < 4; ++dimension) {
        if (__builtin_mul_overflow(bytes, shape[dimension], &bytes)) {
            throw OutOfMemoryError(
                fmt::format("{} has more bytes than any machine can address", purposeOf(dtype, shape)),
                "Lower the batch size or the image size.");
        }
    }
    return static_cast<std::size_t>(bytes);
}

} // namespace halfstep::tensor
