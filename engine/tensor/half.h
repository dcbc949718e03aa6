#pragma once
#include <bit>
#include <cstdint>

/// Scalar conversions between float32 and the two 16-bit formats, on bit patterns. They round to nearest, ties to
/// even, keep subnormals, and overflow to infinity as IEEE 754 says; a NaN stays a (quiet) NaN.
namespace halfstep::tensor {

/// IEEE binary16 to float32, exact.
inline float floatFromHalf(std::uint16_t h) {
    const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
    const std::uint32_t magnitude = h & 0x7FFFu;
    if (magnitude >= 0x7C00u) { // infinity or NaN: exponent all ones, the fraction kept, NaN made quiet
        const std::uint32_t quiet = magnitude > 0x7C00u ? 0x00400000u : 0u;
        return std::bit_cast<float>(sign | 0x7F800000u | ((magnitude & 0x3FFu) << 13) | quiet);
    }
    if (magnitude < 0x0400u) { // subnormal: an integer multiple of 2^-24
        const float value = static_cast<float>(magnitude) * 0x1p-24f;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
    }
    return std::bit_cast<float>(sign | ((magnitude << 13) + ((127u - 15u) << 23)));
}

/// float32 to IEEE binary16.
inline std::uint16_t halfFromFloat(float f) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) { // NaN
        return static_cast<std::uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x1FFu));
    }
    if (magnitude >= 0x477FF000u) { // 65520 and above round to infinity
        return static_cast<std::uint16_t>(sign | 0x7C00u);
    }
    if (magnitude < 0x38800000u) {
        // Below 2^-14 the result is a multiple of 2^-24: adding 0.5 lets the float adder round there, ties to even.
        const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(rounded) - 0x3F000000u));
    }
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    const std::uint32_t rounded = magnitude - ((127u - 15u) << 23) + 0xFFFu + odd;
    return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

/// bfloat16 to float32, exact: the upper half of the same pattern.
inline float floatFromBfloat(std::uint16_t b) {
    std::uint32_t bits = static_cast<std::uint32_t>(b) << 16;
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) {
        bits |= 0x00400000u;
    }
    return std::bit_cast<float>(bits);
}

/// float32 to bfloat16. Truncation would turn the NaN 0x7F800001 into infinity, so NaN is looked at first.
inline std::uint16_t bfloatFromFloat(float f) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) {
        return static_cast<std::uint16_t>((bits >> 16) | 0x0040u);
    }
    return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

} // namespace halfstep::tensor
