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

constexpr std::int64_t kGroup = kFftGroup;

/// Calls visit(i) for i in [0, count); a whole group, which most are, has a loop of its own that the compiler knows
/// the length of.
template <class Visit>
void forLanes(std::int64_t count, const Visit& visit) {
    if (count == kGroup) {
        for (std::int64_t i = 0; i < kGroup; ++i) {
            visit(i);
        }
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        visit(i);
    }
}

/// The parts that the input channels of all phases have: whole groups.
struct Inputs {
    std::int64_t perPhase, count;

    explicit Inputs(const ConvolutionGeometry& g)
        : perPhase(fftWhole(g.channels)),
          count(g.stride * g.stride * perPhase) {}
};

} // namespace

void tapsByFilter(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* w, float scale,
                  float* taps) {
    const Inputs inputs(g);
    const std::int64_t tapCount = plan.tapRows * plan.tapColumns;
    pool.run(inputs.count, [&](std::int64_t input, int) {
        const std::int64_t phase = input / inputs.perPhase, channel = input % inputs.perPhase;
        forTaps(g, plan, phase / g.stride, phase % g.stride, [&](std::int64_t tap, std::int64_t r, std::int64_t s) {
            const bool inside = r < g.kernelHeight && s < g.kernelWidth && channel < g.channels;
            const float* from = inside ? w + ((r * g.kernelWidth + s) * g.channels + channel) * g.filters : nullptr;
            for (std::int64_t filter = 0; filter < g.filters; filter += kGroup) {
                float* to = taps + ((filter / kGroup * inputs.count + input) * tapCount + tap) * kGroup;
                const std::int64_t real = inside ? std::min(kGroup, g.filters - filter) : 0;
                forLanes(real, [&](std::int64_t i) { to[i] = from[filter + i] * scale; });
                std::fill(to + real, to + kGroup, 0.0f);
            }
        });
    });
}

void tapsByChannel(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* w, float scale,
                   float* taps) {
    const Inputs inputs(g);
    const std::int64_t tapCount = plan.tapRows * plan.tapColumns, filters = fftWhole(g.filters);
    pool.run(inputs.count / kGroup, [&](std::int64_t group, int) {
        const std::int64_t phase = group * kGroup / inputs.perPhase, channel = group * kGroup % inputs.perPhase;
        const std::int64_t channels = std::min(kGroup, g.channels - channel);
        forTaps(g, plan, phase / g.stride, phase % g.stride, [&](std::int64_t tap, std::int64_t r, std::int64_t s) {
            const bool inside = r < g.kernelHeight && s < g.kernelWidth;
            const float* from = inside ? w + ((r * g.kernelWidth + s) * g.channels + channel) * g.filters : nullptr;
            for (std::int64_t filter = 0; filter < filters; ++filter) {
                float* to = taps + ((group * filters + filter) * tapCount + tap) * kGroup;
                const std::int64_t real = inside && filter < g.filters ? channels : 0;
                forLanes(real, [&](std::int64_t i) { to[i] = from[i * g.filters + filter] * scale; });
                std::fill(to + real, to + kGroup, 0.0f);
            }
        });
    });
}

void weightsOfTaps(ThreadPool& pool, const ConvolutionGeometry& g, const FftPlan& plan, const float* taps,
                   float scale, float* w) {
    const Inputs inputs(g);
    const std::int64_t tapCount = plan.tapRows * plan.tapColumns, groups = fftWhole(g.filters) / kGroup;
    pool.run(inputs.count, [&](std::int64_t input, int) {
        const std::int64_t phase = input / inputs.perPhase, channel = input % inputs.perPhase;
        forTaps(g, plan, phase / g.stride, phase % g.stride, [&](std::int64_t tap, std::int64_t r, std::int64_t s) {
            if (r >= g.kernelHeight || s >= g.kernelWidth || channel >= g.channels) {
                return;
            }
            float* to = w + ((r * g.kernelWidth + s) * g.channels + channel) * g.filters;
            for (std::int64_t group = 0; group < groups; ++group) {
                const float* from = taps + ((input * groups + group) * tapCount + tap) * kGroup;
                forLanes(std::min(kGroup, g.filters - group * kGroup),
                         [&](std::int64_t i) { to[group * kGroup + i] = from[i] * scale; });
            }
        });
    });
}

} // namespace halfstep::backend::cpu
