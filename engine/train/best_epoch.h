#pragma once
#include <cstdint>
#include <optional>

namespace halfstep::train {

/// The epoch with the lowest loss so far. NaN and infinity are never best, count as no improvement, and do not stand
/// in the way of finite losses after them.
class BestEpoch {
public:
    /// Everything that a checkpoint must hold.
    struct State {
        int epoch = 0;                        ///< the best one; 0: none yet
        std::int64_t step = 0;                ///< the run's step at its end
        double loss = 0;                      ///< finite
        std::int64_t epochsWithoutBetter = 0; ///< since then, or since the start
        bool operator==(const State&) const = default;
    };

    BestEpoch() = default;
    explicit BestEpoch(const State& state) : m_state(state) {}

    /// Takes the loss of the next epoch; true if it is the best one.
    bool take(int epoch, std::int64_t step, double loss);
    /// Whether `patience` epochs in a row were no better.
    bool exhausts(const std::optional<std::int64_t>& patience) const;
    const State& state() const { return m_state; }

private:
    State m_state;
};

} // namespace halfstep::train
