#pragma once
#include "engine/tensor/tensor.h"
#include <cstddef>
#include <string>

namespace halfstep::tensor {

/// Bytes of a tensor. Throws OutOfMemoryError if nothing can address so many.
std::size_t addressableBytes(DType dtype, const Shape& shape);

/// "a float32 tensor [32, 10]"
std::string purposeOf(DType dtype, const Shape& shape);

/// A tensor in bytes of `memory`, whose allocate(bytes, purpose) gives them or throws OutOfMemoryError.
template <typename Memory>
Tensor allocatedTensor(const Memory& memory, DType dtype, const Shape& shape) {
    return {dtype, shape, memory.allocate(addressableBytes(dtype, shape), purposeOf(dtype, shape))};
}

} // namespace halfstep::tensor
