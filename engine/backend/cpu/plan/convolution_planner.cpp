#include "engine/backend/cpu/plan/convolution_planner.h"
#include "engine/backend/cpu/fft/fft_cost.h"
#include "engine/backend/cpu/narrow/narrow_convolution.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::backend::cpu {
namespace {

using Kind = ConvolutionMethod::Kind;

/// The model's estimates were within this factor of the times on every machine so far.
constexpr double kFarBehind = 2.0;
/// What the model prefers is left only for something faster by more than times vary.
constexpr double kWorthLeaving = 0.9;
/// Multiply-adds of the three passes below which a choice is no matter: some milliseconds.
constexpr double kWorthATrial = 2e9;
/// Images of a trial: enough for the weights' share to be that of a real batch.
constexpr std::int64_t kMostTrialImages = 32;
/// Bytes of its tensors, so that a trial fits wherever a run does.
constexpr std::int64_t kMostTrialBytes = std::int64_t{128} << 20;

std::int64_t boundOf(std::int64_t batch) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(batch)));
}

std::string textOf(const std::string& rule, const ConvolutionGeometry& g, std::int64_t batch) {
    return fmt::format("{} {}x{}x{}x{} {}x{}x{} stride {} {}", rule, batch, g.height, g.width, g.channels,
                       g.kernelHeight, g.kernelWidth, g.filters, g.stride,
                       g.paddingRule == Padding::Same ? "same" : "valid");
}

} // namespace

std::vector<ConvolutionPlanner::Candidate> ConvolutionPlanner::candidates(const ConvolutionGeometry& geometry,
                                                                          std::int64_t batch) const {
    std::vector<Candidate> list;
    if (m_rule != "direct") {
        for (const int tile : kFftTiles) {
            if (const auto plan = fftPlanWithTile(geometry, tile)) {
                list.push_back({{Kind::Fft, tile}, fftCost(geometry, *plan, batch)});
            }
        }
    }
    if (m_rule != "fft" || list.empty()) {
        if (NarrowConvolution::fits(geometry)) { // oneDNN's equal or better, and without its copies
            list.push_back({{Kind::Narrow}, directCost(geometry, batch)});
        } else {
            list.push_back({{Kind::OneDnn}, directCost(geometry, batch)});
        }
    }
    std::ranges::stable_sort(list, {}, &Candidate::cost);
    return list;
}

ConvolutionMethod ConvolutionPlanner::methodFor(const ConvolutionGeometry& geometry, std::int64_t batch,
                                                const std::function<bool()>& oneDnnUsable, const Timing& timing) {
    const std::int64_t bound = boundOf(batch);
    std::vector<Candidate> list = candidates(geometry, bound);
    const auto behind = [&](const Candidate& one) { return one.cost > kFarBehind * list.front().cost; };
    const auto oneDnn = std::ranges::find(list, ConvolutionMethod{Kind::OneDnn}, &Candidate::method);
    const bool withoutOneDnn = list.size() > 1 && oneDnn != list.end() && !behind(*oneDnn) && !oneDnnUsable();
    if (withoutOneDnn) {
        list.erase(oneDnn);
    }
    list.erase(std::ranges::find_if(list, behind), list.end());
    const ConvolutionMethod preferred = list.front().method;
    if (list.size() == 1 || !m_memory.lasts() || list.front().cost < kWorthATrial) {
        return preferred;
    }
    const std::string key = textOf(m_rule, geometry, bound);
    if (const auto known = m_memory.find(key)) {
        const bool possible = std::ranges::any_of(list, [&](const Candidate& one) { return one.method == *known; });
        return possible ? *known : preferred;
    }
    if (!m_tries || withoutOneDnn) { // what is chosen in want of oneDNN must not be remembered
        return preferred;
    }
    ConvolutionMethod fastest = preferred;
    const std::int64_t bytesOfImage = 4 * (geometry.height * geometry.width * geometry.channels +
                                           geometry.outputHeight() * geometry.outputWidth() * geometry.filters);
    const std::int64_t images =
        std::clamp<std::int64_t>(kMostTrialBytes / bytesOfImage, 1, std::min(bound, kMostTrialImages));
    double least = kWorthLeaving * timing(preferred, geometry, images);
    bool allTried = std::isfinite(least);
    for (const Candidate& one : list) {
        const double seconds = one.method == preferred ? least : timing(one.method, geometry, images);
        allTried = allTried && std::isfinite(seconds);
        if (seconds < least) {
            least = seconds;
            fastest = one.method;
        }
    }
    if (allTried) { // one that lacked memory now may have it next time
        m_memory.remember(key, fastest);
    }
    return fastest;
}

} // namespace halfstep::backend::cpu
