#include "engine/train/best_epoch.h"
#include <cmath>

namespace halfstep::train {

bool BestEpoch::take(int epoch, std::int64_t step, double loss) {
    const bool better = std::isfinite(loss) && (m_state.epoch == 0 || loss < m_state.loss);
    if (better) {
        m_state = {.epoch = epoch, .step = step, .loss = loss, .epochsWithoutBetter = 0};
    } else {
        ++m_state.epochsWithoutBetter;
    }
    return better;
}

bool BestEpoch::exhausts(const std::optional<std::int64_t>& patience) const {
    return patience && m_state.epochsWithoutBetter >= *patience;
}

} // namespace halfstep::train
