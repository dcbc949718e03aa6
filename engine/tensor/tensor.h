#pragma once
#include "engine/tensor/dtype.h"
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

namespace halfstep::tensor {

/// Sizes of up to four dimensions, outermost first: activations [N, H, W, C], kernels [H, W, C_in, C_out].
class Shape {
public:
    Shape() = default;
    Shape(std::initializer_list<std::int64_t> sizes);
    int rank() const { return m_rank; }
    std::int64_t operator[](int dimension) const { return m_sizes[static_cast<std::size_t>(dimension)]; }
    std::int64_t count() const;
    /// "[32, 128, 128, 32]"
    std::string text() const;
    bool operator==(const Shape&) const = default;

private:
    std::array<std::int64_t, 4> m_sizes{1, 1, 1, 1};
    int m_rank = 0;
};

/// A value without behaviour: elements of one dtype, densely packed in row-major order, in memory that a Backend
/// gave. Copies share the memory. Only the backend that made it may touch `data` (a GPU's is not the host's).
struct Tensor {
    DType dtype = DType::Float32;
    Shape shape;
    std::shared_ptr<std::byte> data;

    std::int64_t count() const { return shape.count(); }
    std::size_t bytes() const { return static_cast<std::size_t>(count()) * bytesOf(dtype); }

    float* f32() const { return reinterpret_cast<float*>(data.get()); }
    std::uint16_t* u16() const { return reinterpret_cast<std::uint16_t*>(data.get()); }
};

/// The first `n` entries of the outermost dimension, sharing memory: a smaller last batch in the buffers of a full
/// one.
Tensor firstOf(const Tensor& tensor, std::int64_t n);

/// Throws ShapeError naming `operation` and both shapes unless they are equal.
void requireShape(const char* operation, const Tensor& tensor, const Shape& expected);

} // namespace halfstep::tensor
