#pragma once
#include <cstdint>

namespace halfstep::backend::cuda {

/// Where the kernel that counts exponents leaves what it found, as 64-bit numbers.
struct ExponentBins {
    static constexpr int kInfinities = 255; ///< 0 to 254 are exponent fields of float32; 0 has the zeros alone
    static constexpr int kSubnormals = 256; ///< and the 22 after it, by the highest bit that is set
    static constexpr int kNans = 279;
    static constexpr int kCount = 280;
    static constexpr int kLargest = 280; ///< bits of the largest finite magnitude
    unsigned long long of[kCount + 1];
};

} // namespace halfstep::backend::cuda
