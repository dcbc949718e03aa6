#pragma once
#include "engine/tensor/tensor.h"
#include <cstddef>
#include <cstdint>

namespace halfstep::backend::cpu {

/// A count of the engine's values as the standard library's containers take it.
inline std::size_t size(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

/// Where element `index` of a tensor on this machine lies.
inline std::byte* at(const tensor::Tensor& tensor, std::size_t index) {
    return tensor.data.get() + index * tensor::bytesOf(tensor.dtype);
}

inline std::size_t countOf(const tensor::Tensor& tensor) {
    return static_cast<std::size_t>(tensor.count());
}

// A tensor as rows of its innermost dimension, the channels.

inline std::size_t channelsOf(const tensor::Tensor& x) {
    return static_cast<std::size_t>(x.shape[x.shape.rank() - 1]);
}

inline std::size_t rowsOf(const tensor::Tensor& x) {
    return countOf(x) / channelsOf(x);
}

inline std::byte* row(const tensor::Tensor& x, std::size_t index) {
    return at(x, index * channelsOf(x));
}

} // namespace halfstep::backend::cpu
