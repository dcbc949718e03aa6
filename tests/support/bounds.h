#pragma once
#include "tests/support/array.h"
#include <gtest/gtest.h>

namespace halfstep::support {

/// What float32 arithmetic may make of a result, element by element, for operands of any size and kind.
struct Bounds {
    Array exact;     ///< in double, where NaN and infinities go by IEEE's rules
    Array magnitude; ///< sum of the sizes of all terms, those that are not finite left out: what rounding goes by
    double share;    ///< error as a share of magnitude and exact: sumTolerance or kElementwise
    std::int64_t terms = 1;
    /// What float32 loses below its smallest subnormal may be multiplied by so much on the way to the result.
    double gain = 1;
    /// Where an operand may be multiplied by padding, 0 * infinity may be taken or left out: NaN is right too.
    bool mayBeNan = false;
};

/// Every element of `got` is what some float32 result within the bounds becomes when it is rounded to `dtype` once.
/// NaN where the exact result is NaN; the right infinity where it is infinite. Where the terms' sum may overflow
/// float32 on the way, nothing is said.
testing::AssertionResult isWithin(const Array& got, const Bounds& bounds, DType dtype);

/// Sizes of the elements; 0 for those that are not finite.
Array sizesOf(Array array);

/// Equal to the bit, but any NaN for a NaN.
testing::AssertionResult isExactly(const Array& got, const Array& expected);

} // namespace halfstep::support
