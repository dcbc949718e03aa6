#include "tests/support/tolerance.h"
#include "tests/support/rounding.h"
#include <cmath>

namespace halfstep::support {

double sumTolerance(std::int64_t terms) {
    return 0x1p-24 * (8.0 + 3.0 * std::sqrt(static_cast<double>(terms)));
}

StepTolerance stepTolerance(precision::Policy policy) {
    switch (precision::traitsOf(policy).computeDType) {
    case DType::Float16:
        return {2e-3, 2e-4, 2e-3};
    case DType::BFloat16:
        return {2e-2, 2e-3, 1e-2};
    case DType::Float32:
        break;
    }
    return {1e-4, 1e-6, 1e-5};
}

double goldenBeforeTheLastRelu(precision::Policy policy) {
    switch (precision::traitsOf(policy).computeDType) {
    case DType::Float16:
        return 3e-2;
    case DType::BFloat16:
        return 4e-2;
    case DType::Float32:
        break;
    }
    return 2e-3;
}

double trajectoryTolerance(precision::Policy policy) {
    switch (precision::traitsOf(policy).computeDType) {
    case DType::Float16:
        return 6e-3;
    case DType::BFloat16:
        return 1e-2;
    case DType::Float32:
        break;
    }
    return 1e-3;
}

testing::AssertionResult isNear(const Array& got, const Array& exact, DType dtype, double share) {
    if (got.shape != exact.shape) {
        return testing::AssertionFailure() << "got " << got.shape.text() << ", expected " << exact.shape.text();
    }
    const double typical = rms(exact);
    for (std::int64_t i = 0; i < got.count(); ++i) {
        const double expected = roundTo(dtype, exact[i]);
        if (got[i] == expected) { // infinities too
            continue;
        }
        const double step = dtype == DType::Float32 ? 0.0 : stepAt(dtype, expected);
        const double limit = step + share * (std::abs(exact[i]) + typical);
        if (!(std::abs(got[i] - expected) <= limit)) {
            return testing::AssertionFailure()
                   << "element " << i << " of " << got.shape.text() << " in " << nameOf(dtype) << " is " << got[i]
                   << ", expected " << expected << " within " << limit << " (exact " << exact[i] << ")";
        }
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult isNearInL2(const Array& got, const Array& expected, double limit) {
    const double error = relativeL2(got, expected);
    if (error <= limit) {
        return testing::AssertionSuccess() << "relative L2 " << error;
    }
    return testing::AssertionFailure() << "relative L2 is " << error << ", expected at most " << limit;
}

} // namespace halfstep::support
