#pragma once
#include "engine/tensor/dtype.h"
#include <cstdint>

/// Rounding by the definition of the formats, in double: precision, smallest normal exponent, largest finite value.
/// Shares nothing with engine/tensor/half.h, which it checks.
namespace halfstep::support {

/// The nearest value of `dtype`, ties to even, subnormals kept, infinity from half a step above the largest finite
/// value.
double roundTo(tensor::DType dtype, double value);

/// The step between neighbours of `dtype` at the size of `value`.
double stepAt(tensor::DType dtype, double value);

/// The value that a bit pattern of a 16-bit format stands for.
double valueOfBits(tensor::DType dtype, std::uint16_t bits);

/// The smallest positive subnormal and the largest finite value.
double smallestOf(tensor::DType dtype);
double largestOf(tensor::DType dtype);

} // namespace halfstep::support
