#include "tests/support/bounds.h"
#include "tests/support/rounding.h"
#include <cmath>

namespace halfstep::support {
namespace {

/// Room for what float32 loses below its smallest subnormal, for each term and the result.
double underflow(const Bounds& bounds) {
    return static_cast<double>(bounds.terms + 1) * bounds.gain * smallestOf(DType::Float32);
}

bool holds(double got, double exact, double magnitude, const Bounds& bounds, DType dtype) {
    if (std::isnan(exact)) {
        return std::isnan(got);
    }
    if (bounds.mayBeNan && std::isnan(got)) {
        return true;
    }
    if (magnitude > largestOf(DType::Float32) / 2) {
        return true; // a sum of some of the terms may be infinite
    }
    if (std::isinf(exact)) {
        return got == exact;
    }
    const double limit = bounds.share * (std::abs(exact) + magnitude) + underflow(bounds);
    return got >= roundTo(dtype, exact - limit) && got <= roundTo(dtype, exact + limit);
}

} // namespace

testing::AssertionResult isWithin(const Array& got, const Bounds& bounds, DType dtype) {
    if (got.shape != bounds.exact.shape || got.shape != bounds.magnitude.shape) {
        return testing::AssertionFailure()
               << "got " << got.shape.text() << ", expected " << bounds.exact.shape.text();
    }
    for (std::int64_t i = 0; i < got.count(); ++i) {
        if (!holds(got[i], bounds.exact[i], bounds.magnitude[i], bounds, dtype)) {
            return testing::AssertionFailure()
                   << "element " << i << " of " << got.shape.text() << " in " << nameOf(dtype) << " is " << got[i]
                   << ", exactly " << bounds.exact[i] << ", which rounds to " << roundTo(dtype, bounds.exact[i])
                   << " (terms' sizes " << bounds.magnitude[i] << ", share " << bounds.share << ")";
        }
    }
    return testing::AssertionSuccess();
}

Array sizesOf(Array array) {
    for (double& value : array.values) {
        value = std::isfinite(value) ? std::abs(value) : 0.0;
    }
    return array;
}

testing::AssertionResult isExactly(const Array& got, const Array& expected) {
    for (std::int64_t i = 0; i < expected.count(); ++i) {
        const bool right = std::isnan(expected[i])
                               ? std::isnan(got[i])
                               : got[i] == expected[i] && std::signbit(got[i]) == std::signbit(expected[i]);
        if (!right) {
            return testing::AssertionFailure() << "element " << i << " is " << got[i] << ", expected " << expected[i];
        }
    }
    return testing::AssertionSuccess();
}

} // namespace halfstep::support
