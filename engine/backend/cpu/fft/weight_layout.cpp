#include "engine/backend/cpu/fft/weight_layout.h"
#include <algorithm>

namespace halfstep::backend::cpu {
namespace {

/// Calls visit(tap, row of the kernel, its column) for the taps of phase (phaseRow, phaseColumn); row or column lie
/// outside the kernel where the phase has a tap less than others.
template <class Visit>
void forTaps(const ConvolutionGeometry& g, const FftPlan& plan, std::int64_t phaseRow, std::int64_t phaseColumn,
             const Visit& visit) {
    for (std::int64_t j = 0; j < plan.tapRows; ++j) {
        for (std::int64_t i = 0; i < plan.tapColumns; ++i) {
            visit(j * plan.tapColumns + i, g.stride * j + phaseRow, g.stride * i + phaseColumn);
        }
    }
}

std::int64_t phasesOf(const ConvolutionGeometry& g) {
    return g.stride * g.stride;
}

} // namespace

void tapsByFilter(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* w, float scale,
                  float* taps) {
    constexpr std::int64_t kGroup = kFftGroup;
    const std::int64_t tapCount = plan.tapRows * plan.tapColumns;
    pool.run(static_cast<int>(phasesOf(g) * g.channels), [&](int input, int) {
        const std::int64_t phase = input / g.channels, channel = input % g.channels;
        forTaps(g, plan, phase / g.stride, phase % g.stride, [&](std::int64_t tap, std::int64_t r, std::int64_t s) {
            const bool inside = r < g.kernelHeight && s < g.kernelWidth;
            const float* from = inside ? w + ((r * g.kernelWidth + s) * g.channels + channel) * g.filters : nullptr;
            for (std::int64_t group = 0; group < g.filters / kGroup; ++group) {
                float* to = taps + ((group * phasesOf(g) * g.channels + input) * tapCount + tap) * kGroup;
                for (std::int64_t i = 0; i < kGroup; ++i) {
                    to[i] = inside ? from[group * kGroup + i] * scale : 0.0f;
                }
            }
        });
    });
}

void tapsByChannel(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* w, float scale,
                   float* taps) {
    constexpr std::int64_t kGroup = kFftGroup;
    const std::int64_t tapCount = plan.tapRows * plan.tapColumns;
    const std::int64_t groups = phasesOf(g) * g.channels / kGroup;
    pool.run(static_cast<int>(groups), [&](int group, int) {
        const std::int64_t phase = group * kGroup / g.channels, channel = group * kGroup % g.channels;
        forTaps(g, plan, phase / g.stride, phase % g.stride, [&](std::int64_t tap, std::int64_t r, std::int64_t s) {
            const bool inside = r < g.kernelHeight && s < g.kernelWidth;
            const float* from = inside ? w + ((r * g.kernelWidth + s) * g.channels + channel) * g.filters : nullptr;
            for (std::int64_t filter = 0; filter < g.filters; ++filter) {
                float* to = taps + ((group * g.filters + filter) * tapCount + tap) * kGroup;
                for (std::int64_t i = 0; i < kGroup; ++i) {
                    to[i] = inside ? from[i * g.filters + filter] * scale : 0.0f;
                }
            }
        });
    });
}

void weightsOfTaps(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* taps,
                   float scale, float* w) {
    constexpr std::int64_t kGroup = kFftGroup;
    const std::int64_t tapCount = plan.tapRows * plan.tapColumns;
    pool.run(static_cast<int>(phasesOf(g) * g.channels), [&](int input, int) {
        const std::int64_t phase = input / g.channels, channel = input % g.channels;
        forTaps(g, plan, phase / g.stride, phase % g.stride, [&](std::int64_t tap, std::int64_t r, std::int64_t s) {
            if (r >= g.kernelHeight || s >= g.kernelWidth) {
                return;
            }
            float* to = w + ((r * g.kernelWidth + s) * g.channels + channel) * g.filters;
            for (std::int64_t group = 0; group < g.filters / kGroup; ++group) {
                const float* from = taps + ((input * (g.filters / kGroup) + group) * tapCount + tap) * kGroup;
                for (std::int64_t i = 0; i < kGroup; ++i) {
                    to[group * kGroup + i] = from[i] * scale;
                }
            }
        });
    });
}

} // namespace halfstep::backend::cpu
