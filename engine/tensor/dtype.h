#pragma once
#include <cstddef>
#include <string_view>

namespace halfstep::tensor {

enum class DType { Float32, Float16, BFloat16 };

/// Bytes of one element.
constexpr std::size_t bytesOf(DType dtype) {
    return dtype == DType::Float32 ? 4 : 2;
}

/// "float32", "float16", "bfloat16".
constexpr std::string_view nameOf(DType dtype) {
    switch (dtype) {
    case DType::Float32:
        return "float32";
    case DType::Float16:
        return "float16";
    case DType::BFloat16:
        return "bfloat16";
    }
    return "?";
}

} // namespace halfstep::tensor
