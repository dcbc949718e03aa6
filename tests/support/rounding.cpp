#include "tests/support/rounding.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace halfstep::support {
namespace {
using tensor::DType;

struct Format {
    int precision;        ///< bits of the significand, the hidden one included
    int smallestExponent; ///< of a normal number
    int largestExponent;
};

Format formatOf(DType dtype) {
    switch (dtype) {
    case DType::Float16:
        return {11, -14, 15};
    case DType::BFloat16:
        return {8, -126, 127};
    case DType::Float32:
        break;
    }
    return {24, -126, 127};
}

} // namespace

double stepAt(DType dtype, double value) {
    const Format format = formatOf(dtype);
    const int exponent = value == 0.0 ? format.smallestExponent : std::ilogb(value);
    return std::ldexp(1.0, std::max(exponent, format.smallestExponent) - (format.precision - 1));
}

double roundTo(DType dtype, double value) {
    if (!std::isfinite(value) || value == 0.0) {
        return value;
    }
    const double step = stepAt(dtype, value);
    const double result = std::nearbyint(value / step) * step; // both exact: the step is a power of two
    return std::abs(result) > largestOf(dtype) ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                               : result;
}

double valueOfBits(DType dtype, std::uint16_t bits) {
    const Format format = formatOf(dtype);
    const int fractionBits = format.precision - 1;
    const int fraction = bits & ((1 << fractionBits) - 1);
    const int exponent = (bits & 0x7FFF) >> fractionBits;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent > format.largestExponent - format.smallestExponent + 1) {
        return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    }
    if (exponent == 0) {
        return sign * std::ldexp(fraction, format.smallestExponent - fractionBits);
    }
    return sign * std::ldexp((1 << fractionBits) + fraction, format.smallestExponent + exponent - 1 - fractionBits);
}

double smallestOf(DType dtype) {
    return stepAt(dtype, 0.0);
}

double largestOf(DType dtype) {
    const Format format = formatOf(dtype);
    return std::ldexp(2.0 - std::ldexp(1.0, 1 - format.precision), format.largestExponent);
}

} // namespace halfstep::support
