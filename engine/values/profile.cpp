#include "engine/values/profile.h"
#include <algorithm>
#include <array>
#include <utility>

namespace halfstep::values {
namespace {

constexpr std::array<std::pair<PartKind, std::string_view>, 6> kKinds{{{PartKind::Input, "input"},
                                                                       {PartKind::Convolution, "convolution"},
                                                                       {PartKind::Normalization, "normalization"},
                                                                       {PartKind::Head, "head"},
                                                                       {PartKind::Variables, "variables"},
                                                                       {PartKind::Other, "other"}}};

} // namespace

std::string_view nameOf(PartKind kind) {
    const auto* known = std::ranges::find(kKinds, kind, [](const auto& pair) { return pair.first; });
    return known->second;
}

std::optional<PartKind> partKindNamed(std::string_view name) {
    const auto* known = std::ranges::find(kKinds, name, [](const auto& pair) { return pair.second; });
    return known == kKinds.end() ? std::nullopt : std::optional(known->first);
}

double Ceilings::memoryGbps() const {
    return std::max({readGbps, copyGbps, triadGbps});
}

double StepProfile::sumOfParts() const {
    double sum = 0;
    for (const ProfilePart& part : parts) {
        sum += part.milliseconds.median;
    }
    return sum;
}

} // namespace halfstep::values
