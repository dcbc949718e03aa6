#pragma once
#include "engine/tensor/tensor.h"
#include <cstddef>

namespace halfstep::backend::cpu {

/// Where element `index` of a tensor on this machine lies.
inline std::byte* at(const tensor::Tensor& tensor, std::size_t index) {
    return tensor.data.get() + index * tensor::bytesOf(tensor.dtype);
}

inline std::size_t countOf(const tensor::Tensor& tensor) {
    return static_cast<std::size_t>(tensor.count());
}

} // namespace halfstep::backend::cpu
