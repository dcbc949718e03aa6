#include "engine/precision/loss_scaler.h"
#include <algorithm>

namespace halfstep::precision {

void LossScaler::update(bool gradientsFinite) {
    if (!gradientsFinite) {
        m_scale = std::max(m_scale * m_options.backoffFactor, m_options.minimumScale);
        m_finiteStreak = 0;
        ++m_skippedSteps;
        ++m_skippedStreak;
        return;
    }
    m_skippedStreak = 0;
    if (++m_finiteStreak == m_options.growthInterval) {
        m_scale = std::min(m_scale * m_options.growthFactor, m_options.maximumScale);
        m_finiteStreak = 0;
    }
}

} // namespace halfstep::precision
