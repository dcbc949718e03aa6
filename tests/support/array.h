#pragma once
#include "engine/tensor/tensor.h"
#include <vector>

namespace halfstep::support {

using tensor::DType;
using tensor::Shape;

/// A tensor of doubles on the host, row-major: what the oracles read and write.
struct Array {
    Shape shape;
    std::vector<double> values;

    double& operator[](std::int64_t i) { return values[static_cast<std::size_t>(i)]; }
    double operator[](std::int64_t i) const { return values[static_cast<std::size_t>(i)]; }
    std::int64_t count() const { return shape.count(); }
};

Array zeros(const Shape& shape);
Array filled(const Shape& shape, double value);
/// Every element rounded to `dtype` once.
Array rounded(DType dtype, Array array);
/// Every element times `factor`.
Array scaled(Array array, double factor);

/// Root of the mean square; 0 for an empty array.
double rms(const Array& array);
/// |got - expected| / |expected| in the Euclidean norm; |got| if `expected` is zero everywhere. NaN if any element
/// is.
double relativeL2(const Array& got, const Array& expected);

} // namespace halfstep::support
