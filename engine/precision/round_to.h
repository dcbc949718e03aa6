#pragma once
#include "engine/tensor/dtype.h"
#include "engine/tensor/half.h"

namespace halfstep::precision {

/// `value` as a tensor of `dtype` would hold it.
inline float roundTo(tensor::DType dtype, float value) {
    if (dtype == tensor::DType::Float16) {
        return tensor::floatFromHalf(tensor::halfFromFloat(value));
    }
    if (dtype == tensor::DType::BFloat16) {
        return tensor::floatFromBfloat(tensor::bfloatFromFloat(value));
    }
    return value;
}

} // namespace halfstep::precision
