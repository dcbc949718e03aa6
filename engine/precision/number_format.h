#pragma once
#include <array>
#include <string_view>

namespace halfstep::precision {

/// A binary floating-point format by its parameters (IEEE 754: p, emin, emax).
struct NumberFormat {
    std::string_view name;
    int fractionBits;   ///< stored after the point: 10 in float16
    int lowestExponent; ///< of the smallest normal number
    int highestExponent;
    double largest; ///< finite value

    /// Exponent of the smallest subnormal number: lowestExponent - fractionBits.
    constexpr int subnormalExponent() const { return lowestExponent - fractionBits; }
};

/// tf32 is what tensor cores make of float32 inputs; the two float8 formats are OCP's (e4m3 has no infinity: what is
/// above 448 becomes NaN).
inline constexpr NumberFormat kFloat16{"float16", 10, -14, 15, 65504.0};
inline constexpr NumberFormat kBFloat16{"bfloat16", 7, -126, 127, 0x1.FEp127};
inline constexpr NumberFormat kTf32{"tf32", 10, -126, 127, 0x1.FFCp127};
inline constexpr NumberFormat kFloat8E4M3{"float8_e4m3", 3, -6, 8, 448.0};
inline constexpr NumberFormat kFloat8E5M2{"float8_e5m2", 2, -14, 15, 57344.0};
inline constexpr NumberFormat kFloat32{"float32", 23, -126, 127, 0x1.FFFFFEp127};

/// The formats whose shares are told for every tensor, whatever the run stores.
inline constexpr std::array kJudgedFormats{kFloat16, kBFloat16, kTf32, kFloat8E4M3, kFloat8E5M2};

} // namespace halfstep::precision
