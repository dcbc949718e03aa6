#include "engine/tensor/tensor.h"
#include "engine/tensor/error.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::tensor {

Shape::Shape(std::initializer_list<std::int64_t> sizes) : m_rank(static_cast<int>(sizes.size())) {
    if (sizes.size() > m_sizes.size()) {
        throw ShapeError(fmt::format("A shape has at most 4 dimensions, not {}.", sizes.size()));
    }
    std::copy(sizes.begin(), sizes.end(), m_sizes.begin());
}

std::int64_t Shape::count() const {
    return m_sizes[0] * m_sizes[1] * m_sizes[2] * m_sizes[3];
}

std::string Shape::text() const {
    return fmt::format("[{}]", fmt::join(m_sizes.begin(), m_sizes.begin() + m_rank, ", "));
}

Tensor firstOf(const Tensor& tensor, std::int64_t n) {
    const Shape& s = tensor.shape;
    if (n < 0 || n > s[0]) {
        throw ShapeError(fmt::format("The first {} of a tensor {} were asked for.", n, s.text()));
    }
    Tensor part = tensor;
    switch (s.rank()) {
    case 1:
        part.shape = {n};
        break;
    case 2:
        part.shape = {n, s[1]};
        break;
    case 3:
        part.shape = {n, s[1], s[2]};
        break;
    default:
        part.shape = {n, s[1], s[2], s[3]};
        break;
    }
    return part;
}

void requireShape(const char* operation, const Tensor& tensor, const Shape& expected) {
    if (tensor.shape != expected) {
        throw ShapeError(fmt::format("{}: got {}, expected {}.", operation, tensor.shape.text(), expected.text()));
    }
}

} // namespace halfstep::tensor
