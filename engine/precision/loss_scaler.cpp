#include "engine/precision/loss_scaler.h"
#include <algorithm>

namespace halfstep::precision {
namespace {
using namespace std::string_view_literals;
constexpr std::array kScalings{"auto"sv, "dynamic"sv, "fixed"sv, "off"sv};
constexpr std::array kRules{"keras"sv, "pytorch"sv};

template <typename Enum, std::size_t N>
std::optional<Enum> named(const std::array<std::string_view, N>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}
} // namespace

std::string_view nameOf(LossScaling scaling) {
    return kScalings[static_cast<std::size_t>(scaling)];
}

std::optional<LossScaling> lossScalingNamed(std::string_view name) {
    return named<LossScaling>(kScalings, name);
}

std::string_view nameOf(LossScaleRule rule) {
    return kRules[static_cast<std::size_t>(rule)];
}

std::optional<LossScaleRule> lossScaleRuleNamed(std::string_view name) {
    return named<LossScaleRule>(kRules, name);
}

LossScalerOptions defaultsOf(LossScaleRule rule) {
    return {.initialScale = rule == LossScaleRule::PyTorch ? 65536.0 : 32768.0};
}

void LossScaler::update(bool gradientsFinite) {
    if (!gradientsFinite) {
        if (m_options.dynamic) {
            m_state.scale = std::max(m_state.scale * m_options.backoffFactor, m_options.minimumScale);
        }
        m_state.finiteStreak = 0;
        ++m_state.skippedSteps;
        ++m_state.skippedStreak;
        return;
    }
    m_state.skippedStreak = 0;
    ++m_state.finiteStreak;
    if (m_options.dynamic && m_state.finiteStreak == m_options.growthInterval) {
        m_state.scale = std::min(m_state.scale * m_options.growthFactor, m_options.maximumScale);
        m_state.finiteStreak = 0;
    }
}

} // namespace halfstep::precision
