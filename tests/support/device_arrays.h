#pragma once
#include "engine/backend/backend.h"
#include "tests/support/array.h"

namespace halfstep::support {

/// A tensor on the device with the array's values, rounded to `dtype` as Backend::upload does.
tensor::Tensor onDevice(backend::Backend& device, DType dtype, const Array& array);

/// The tensor's values on the host.
Array fromDevice(backend::Backend& device, const tensor::Tensor& tensor);

/// Whether shapes and float32 bit patterns are equal: 0 and -0 differ, a NaN equals itself.
bool sameBits(const Array& a, const Array& b);

} // namespace halfstep::support
