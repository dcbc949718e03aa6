#include "engine/analysis/why.h"
#include "engine/precision/policy.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace halfstep::analysis {
namespace {

using values::StepProfile;

constexpr std::size_t kMostNamed = 3; ///< parts that a sentence names in each direction
constexpr double kLeastNamed = 0.01;  ///< of the step that a part must have gained or lost to be named
constexpr double kFarOff = 0.05;      ///< of the step: from there on the parts do not explain it
constexpr double kWorthNaming = 0.03; ///< share of the step from which on a sentence speaks of it

std::string percent(double share) {
    const double value = 100 * share;
    return value > 0 && value < 1 ? "under 1 %" : fmt::format("{:.0f} %", value);
}

std::string milliseconds(double ms) {
    return ms >= 99.95   ? fmt::format("{:.0f}", ms)
           : ms >= 9.995 ? fmt::format("{:.1f}", ms)
                         : fmt::format("{:.2f}", ms);
}

std::string_view policyOf(const StepProfile& profile) {
    return precision::traitsOf(profile.config.policy).name;
}

bool hasHalfTensors(const StepProfile& profile) {
    return precision::traitsOf(profile.config.policy).computeDType != tensor::DType::Float32;
}

std::string spoken(std::string operation) {
    if (operation == "backward_weights") {
        return "weight gradient";
    }
    if (operation == "backward_data") {
        return "data gradient";
    }
    if (operation == "other") {
        return "rest";
    }
    if (operation.starts_with("backward")) {
        return "backward";
    }
    return operation.starts_with("forward") ? "forward" : operation;
}

/// "conv2d_2 weight gradient 35.1 to 32.4 ms"
std::string named(const PartDifference& part) {
    if (part.before <= 0) {
        return fmt::format("{} {} + {} ms, which there was not", part.layer, spoken(part.operation),
                           milliseconds(part.after));
    }
    return fmt::format("{} {} {} to {} ms", part.layer, spoken(part.operation), milliseconds(part.before),
                       milliseconds(part.after));
}

/// Where half-size tensors gained more than their bytes alone explain, what else became faster.
std::string beyondHalving(const StepProfile& baseline, const StepProfile& profile, const Comparison& comparison) {
    const double most = mostByHalving(boundSharesOf(baseline));
    double convolutions = 0;
    for (const PartDifference& part : comparison.parts) {
        convolutions += part.layer.starts_with("conv2d") ? part.gained() : 0;
    }
    const bool applies = hasHalfTensors(profile) && !hasHalfTensors(baseline) && comparison.speedup() > most;
    return applies && convolutions > 0
               ? fmt::format(" Halving the bytes of tensors alone explains at most {:.2f}x; the convolutions, which "
                             "count as arithmetic, gained {} ms.",
                             most, milliseconds(convolutions))
               : std::string();
}

/// "Faster: A, B. Slower: C." of the parts that changed by enough, beyond their quartiles; nothing if none did.
std::string changes(const Comparison& comparison) {
    const double least = kLeastNamed * comparison.before;
    std::string faster, slower;
    std::size_t count = 0;
    for (auto part = comparison.parts.begin(); part != comparison.parts.end() && count < kMostNamed; ++part) {
        if (part->shown && part->gained() >= least) {
            faster += (count++ > 0 ? ", " : "") + named(*part);
        }
    }
    count = 0;
    for (auto part = comparison.parts.rbegin(); part != comparison.parts.rend() && count < kMostNamed; ++part) {
        if (part->shown && -part->gained() >= least) {
            slower += (count++ > 0 ? ", " : "") + named(*part);
        }
    }
    std::string text = faster.empty() ? "" : " Faster: " + faster + ".";
    return text + (slower.empty() ? "" : " Slower: " + slower + ".");
}

} // namespace

std::string boundSentence(const StepProfile& profile) {
    const BoundShares shares = boundSharesOf(profile);
    std::string text = fmt::format(
        "{} of the step is arithmetic in float32, whose speed does not depend on the storage type; {} is bound by "
        "memory.",
        percent(shares.arithmetic), percent(shares.memory));
    if (shares.neither >= kWorthNaming) {
        text.pop_back();
        text += fmt::format("; {} is far from both ceilings.", percent(shares.neither));
    }
    double wait = 0;
    for (const values::ProfilePart& part : profile.parts) {
        wait += part.layer == "input" ? part.share : 0;
    }
    if (wait >= kWorthNaming) {
        text.pop_back();
        text += fmt::format("; {} is waiting for photographs.", percent(wait));
    }
    return text;
}

std::string halvingSentence(const StepProfile& profile) {
    const BoundShares shares = boundSharesOf(profile);
    if (hasHalfTensors(profile)) {
        return fmt::format("Its tensors are half the size already: {} of the step still waits for their bytes, the "
                           "rest gains nothing from smaller tensors.",
                           percent(shares.halvable));
    }
    return fmt::format("Tensors of half the size can make it at most {:.2f}x faster: only the part that waits for "
                       "their bytes, {} of the step, can be halved (Amdahl).",
                       mostByHalving(shares), percent(shares.halvable));
}

std::string sumSentence(const StepProfile& profile) {
    const double step = profile.unprofiledStep.median, sum = profile.sumOfParts();
    const double off = step > 0 ? sum / step - 1 : 0;
    return fmt::format("The parts add up to {} ms; a step that nobody times takes {} ms ({:+.1f} %), in which the "
                       "threads run {} of the time.{}",
                       milliseconds(sum), milliseconds(step), 100 * off, percent(profile.processorShare),
                       std::abs(off) > kFarOff ? " They are too far apart: profile more steps, or with nothing else "
                                                 "running."
                                               : "");
}

std::string speedupSentence(const StepProfile& baseline, const StepProfile& profile) {
    const Comparison comparison = compare(baseline, profile);
    const std::string times =
        fmt::format("{} takes {} ms a step, {} {} ms", policyOf(profile), milliseconds(comparison.after),
                    policyOf(baseline), milliseconds(comparison.before));
    if (!comparison.shown) {
        return fmt::format("{}: the quartiles overlap, no difference shown.{}", times, changes(comparison));
    }
    const double speedup = comparison.speedup();
    return fmt::format("{}: {:.2f}x{}.{}{}", times, speedup, speedup >= 1 ? " faster" : ", slower",
                       beyondHalving(baseline, profile, comparison), changes(comparison));
}

std::vector<std::string> whySentences(const StepProfile& profile, const StepProfile* baseline) {
    std::vector<std::string> sentences{boundSentence(profile), halvingSentence(profile)};
    if (baseline != nullptr) {
        sentences.push_back(speedupSentence(*baseline, profile));
    }
    sentences.push_back(sumSentence(profile));
    return sentences;
}

} // namespace halfstep::analysis
