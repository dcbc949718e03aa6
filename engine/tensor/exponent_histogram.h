#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace halfstep::tensor {

/// How the elements of a tensor spread over the binary exponents: an element x with 2^e <= |x| < 2^(e+1) counts for
/// e.
struct ExponentHistogram {
    static constexpr int kLowest = -160; ///< below float32's smallest subnormal, 2^-149
    static constexpr int kHighest = 128; ///< above float32's largest exponent, 127

    std::int64_t zeros = 0; ///< of either sign
    std::int64_t infinities = 0;
    std::int64_t nans = 0;
    double largest = 0; ///< |x| of the largest finite element
    std::array<std::int64_t, kHighest - kLowest + 1> counts{};

    std::int64_t& at(int exponent) { return counts[static_cast<std::size_t>(exponent - kLowest)]; }
    std::int64_t at(int exponent) const { return counts[static_cast<std::size_t>(exponent - kLowest)]; }
    std::int64_t nonFinite() const { return infinities + nans; }
    bool operator==(const ExponentHistogram&) const = default;
};

} // namespace halfstep::tensor
