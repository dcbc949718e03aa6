#include "tests/support/array.h"
#include "tests/support/rounding.h"
#include <cmath>

namespace halfstep::support {

Array zeros(const Shape& shape) {
    return filled(shape, 0.0);
}

Array filled(const Shape& shape, double value) {
    return {shape, std::vector<double>(static_cast<std::size_t>(shape.count()), value)};
}

Array rounded(DType dtype, Array array) {
    for (double& value : array.values) {
        value = roundTo(dtype, value);
    }
    return array;
}

Array scaled(Array array, double factor) {
    for (double& value : array.values) {
        value *= factor;
    }
    return array;
}

double rms(const Array& array) {
    double squares = 0;
    for (const double value : array.values) {
        squares += value * value;
    }
    return array.values.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(array.values.size()));
}

double relativeL2(const Array& got, const Array& expected) {
    tensor::Tensor shapeOnly;
    shapeOnly.shape = got.shape;
    tensor::requireShape("relativeL2", shapeOnly, expected.shape);
    double error = 0;
    double norm = 0;
    for (std::size_t i = 0; i < got.values.size(); ++i) {
        const double difference = got.values[i] - expected.values[i];
        error += difference * difference;
        norm += expected.values[i] * expected.values[i];
    }
    return norm > 0 ? std::sqrt(error / norm) : std::sqrt(error);
}

} // namespace halfstep::support
