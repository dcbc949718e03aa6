#pragma once
#include <array>
#include <cstdint>

namespace halfstep::data {

/// xoshiro256** (Blackman, Vigna), filled from one number by splitmix64. The standard library's engines are portable
/// but its distributions are not: shuffles and drawings must be the same on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) {
        for (std::uint64_t& word : m_state) {
            seed += 0x9e3779b97f4a7c15U;
            std::uint64_t mixed = seed;
            mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9U;
            mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
            word = mixed ^ mixed >> 31U;
        }
    }

    std::uint64_t next() {
        const std::uint64_t result = rotated(m_state[1] * 5, 7) * 9;
        const std::uint64_t shifted = m_state[1] << 17U;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= shifted;
        m_state[3] = rotated(m_state[3], 45);
        return result;
    }

    /// A whole number in [0, bound), each equally likely. `bound` is at least 1.
    std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t unfair = (0 - bound) % bound; // 2^64 mod bound: these few would favour the small numbers
        std::uint64_t value = next();
        while (value < unfair) {
            value = next();
        }
        return value % bound;
    }

    /// A number in [low, high), in steps of (high - low) / 2^53.
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(next() >> 11U) * 0x1p-53);
    }

    bool chance(double probability) { return between(0, 1) < probability; }

private:
    static std::uint64_t rotated(std::uint64_t value, unsigned by) { return value << by | value >> (64U - by); }
    std::array<std::uint64_t, 4> m_state{};
};

} // namespace halfstep::data
