#pragma once
#include "tests/support/array.h"
#include <cstdint>

namespace halfstep::support {

/// SplitMix64: the same numbers here and in tests/golden/make_golden.py, so that golden files need no inputs.
class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next() {
        m_state += 0x9E3779B97F4A7C15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    /// A multiple of 2^-24 in [0, 1), exact in float32.
    double unit() { return static_cast<double>(next() >> 40) * 0x1p-24; }

    /// low + (high - low) unit(), rounded to float32 once.
    float between(double low, double high) { return static_cast<float>(low + (high - low) * unit()); }

    Array array(const Shape& shape, double low, double high) {
        Array result = zeros(shape);
        for (double& value : result.values) {
            value = between(low, high);
        }
        return result;
    }

private:
    std::uint64_t m_state;
};

} // namespace halfstep::support
