#pragma once
#include <cstdint>

namespace halfstep::precision {

/// Keras' rule (LossScaleOptimizer with a dynamic scale), with a floor and a finite cap that Keras 3 lacks: after 165
/// overflows in a row its scale is 0, and growing for ever makes it infinite.
struct LossScalerOptions {
    double initialScale = 32768; ///< 2^15
    double growthFactor = 2;
    double backoffFactor = 0.5;
    std::int64_t growthInterval = 2000; ///< finite steps in a row before the scale grows
    double minimumScale = 1;
    double maximumScale = 0x1p127; ///< the largest power of two that float32 holds
};

/// Dynamic loss scale: halved on overflow, doubled on every growthInterval-th finite step in a row.
class LossScaler {
public:
    explicit LossScaler(const LossScalerOptions& options = {}) : m_options(options), m_scale(options.initialScale) {}

    double scale() const { return m_scale; }
    std::int64_t finiteStreak() const { return m_finiteStreak; }
    std::int64_t skippedSteps() const { return m_skippedSteps; }
    std::int64_t skippedStreak() const { return m_skippedStreak; }

    void update(bool gradientsFinite);

private:
    LossScalerOptions m_options;
    double m_scale;
    std::int64_t m_finiteStreak = 0;
    std::int64_t m_skippedSteps = 0;
    std::int64_t m_skippedStreak = 0;
};

} // namespace halfstep::precision
