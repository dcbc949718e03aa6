#pragma once
#include "engine/backend/cuda/device_memory.h"
#include "engine/tensor/tensor.h"

namespace halfstep::backend::cuda {

/// A tensor that is not cleared. Throws OutOfMemoryError that names dtype and shape.
tensor::Tensor allocateTensor(const DeviceMemory& memory, tensor::DType dtype, const tensor::Shape& shape);

} // namespace halfstep::backend::cuda
