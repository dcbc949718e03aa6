#include "engine/backend/cpu/softmax_row.h"
#include <algorithm>
#include <cmath>

namespace halfstep::backend::cpu {

void SoftmaxRow::take(std::span<const float> logits) {
    m_logits.assign(logits.begin(), logits.end());
    m_exponentials.resize(logits.size());
    m_largest = static_cast<std::size_t>(std::max_element(m_logits.begin(), m_logits.end()) - m_logits.begin());
    m_rest = 0;
    for (std::size_t i = 0; i < m_logits.size(); ++i) {
        m_exponentials[i] = std::exp(m_logits[i] - m_logits[m_largest]);
        m_rest += i == m_largest ? 0.0f : m_exponentials[i];
    }
}

double SoftmaxRow::crossEntropy(std::size_t label) const {
    const double distance = static_cast<double>(m_logits[m_largest]) - static_cast<double>(m_logits[label]);
    return distance + static_cast<double>(std::log1p(m_rest));
}

float SoftmaxRow::gradient(std::size_t i, std::size_t label) const {
    if (i != label) {
        return probability(i);
    }
    if (label != m_largest) {
        return probability(i) - 1.0f; // p <= 1/2: nothing cancels
    }
    return -m_rest / (1.0f + m_rest);
}

} // namespace halfstep::backend::cpu
