#pragma once
#include "engine/precision/number_format.h"
#include "engine/values/numerics.h"

namespace halfstep::analysis {

/// What a format would make of a tensor's elements; shares of all elements, 0 to 1. zero + subnormal + normal +
/// nonFinite = 1.
struct NumberShares {
    double zero = 0;      ///< 0 already, or rounded to 0
    double subnormal = 0; ///< below the smallest normal number: fewer digits
    double normal = 0;
    double nonFinite = 0; ///< infinite or NaN already, or above the largest finite number
    double underflow = 0; ///< not 0 now, but rounded to 0: part of `zero`
    double overflow = 0;  ///< finite now, but too large: part of `nonFinite`
    bool operator==(const NumberShares&) const = default;
};

/// The shares of `tensor` in `format` if every element were multiplied by 2^scaleExponent first (a loss scale other
/// than the one that a gradient carries). What has become 0 or infinite already stays so.
///
/// A binary exponent is taken as a whole: the few elements that round up into the next exponent at a format's edge
/// (65520 to 65536 in float16) count for their own.
NumberShares sharesIn(const values::TensorNumerics& tensor, const precision::NumberFormat& format,
                      int scaleExponent = 0);

} // namespace halfstep::analysis
