#pragma once
#include "engine/precision/policy.h"
#include <cstdint>
#include <optional>
#include <string_view>

namespace halfstep::precision {

/// Auto: dynamic where Keras applies it by itself (mixed_float16), else off.
enum class LossScaling { Auto, Dynamic, Fixed, Off };
/// "auto", "dynamic", "fixed", "off"
std::string_view nameOf(LossScaling scaling);
std::optional<LossScaling> lossScalingNamed(std::string_view name);

/// Whose defaults the scale starts from and moves by.
enum class LossScaleRule { Keras, PyTorch };
/// "keras", "pytorch"
std::string_view nameOf(LossScaleRule rule);
std::optional<LossScaleRule> lossScaleRuleNamed(std::string_view name);

/// Both rules with a floor of 1 and a finite cap, which the originals lack in part: Keras 3 has neither (after 165
/// overflows in a row its scale is 0, and growing for ever makes it infinite), PyTorch has no floor.
struct LossScalerOptions {
    double initialScale = 32768; ///< 2^15, Keras'; PyTorch's is 2^16
    double growthFactor = 2;
    double backoffFactor = 0.5;
    std::int64_t growthInterval = 2000; ///< finite steps in a row before the scale grows
    double minimumScale = 1;
    double maximumScale = 0x1p127; ///< the largest power of two that float32 holds
    bool dynamic = true;           ///< false: the scale stays as it is
};
LossScalerOptions defaultsOf(LossScaleRule rule);

/// Dynamic loss scale: halved on overflow, doubled on every growthInterval-th finite step in a row.
class LossScaler {
public:
    /// Everything that a checkpoint must hold.
    struct State {
        double scale = 0;
        std::int64_t finiteStreak = 0;
        std::int64_t skippedSteps = 0;
        std::int64_t skippedStreak = 0;
        bool operator==(const State&) const = default;
    };

    explicit LossScaler(const LossScalerOptions& options = {}) : m_options(options) {
        m_state.scale = options.initialScale;
    }

    double scale() const { return m_state.scale; }
    std::int64_t finiteStreak() const { return m_state.finiteStreak; }
    std::int64_t skippedSteps() const { return m_state.skippedSteps; }
    std::int64_t skippedStreak() const { return m_state.skippedStreak; }

    /// Overflows do not lower it any more.
    bool isAtFloor() const { return m_state.scale <= m_options.minimumScale; }

    /// Overflows lower it, down to the floor.
    bool isDynamic() const { return m_options.dynamic; }

    void update(bool gradientsFinite);

    const State& state() const { return m_state; }
    void restore(const State& state) { m_state = state; }

private:
    LossScalerOptions m_options;
    State m_state;
};

} // namespace halfstep::precision
