#include "engine/analysis/why.h"
#include "engine/precision/policy.h"
#include <algorithm>

namespace halfstep::analysis {
namespace {

using values::PartKind;
using values::ProfilePart;
using values::StepProfile;

bool isHalvable(PartKind kind) {
    return kind != PartKind::Variables && kind != PartKind::Input && kind != PartKind::Other;
}

bool sameTimes(const values::StepTimes& a, const values::StepTimes& b) {
    return a.q25 <= b.q75 && b.q25 <= a.q75;
}

const ProfilePart& partOf(const StepProfile& profile, const ProfilePart& like) {
    const auto found = std::ranges::find_if(profile.parts, [&](const ProfilePart& part) {
        return part.layer == like.layer && part.operation == like.operation;
    });
    return found == profile.parts.end() ? like : *found;
}

} // namespace

BoundShares boundSharesOf(const StepProfile& profile) {
    BoundShares shares;
    const double sum = profile.sumOfParts();
    if (sum <= 0) {
        return shares;
    }
    for (const ProfilePart& part : profile.parts) {
        const double share = part.milliseconds.median / sum;
        switch (rooflineOf(part, profile.ceilings).bound) {
        case Bound::Arithmetic:
            shares.arithmetic += share;
            break;
        case Bound::Memory:
            shares.memory += share;
            shares.halvable += isHalvable(part.kind) ? share : 0;
            break;
        case Bound::Neither:
            shares.neither += share;
            break;
        case Bound::Unknown:
            shares.unknown += share;
            break;
        }
    }
    return shares;
}

double mostByHalving(const BoundShares& shares) {
    return 1 / (1 - shares.halvable / 2);
}

Comparison compare(const StepProfile& baseline, const StepProfile& profile) {
    Comparison comparison{.before = baseline.unprofiledStep.median,
                          .after = profile.unprofiledStep.median,
                          .shown = !sameTimes(baseline.unprofiledStep, profile.unprofiledStep)};
    for (const ProfilePart& part : profile.parts) {
        comparison.parts.push_back({part.layer, part.operation, 0, part.milliseconds.median});
    }
    for (const ProfilePart& part : baseline.parts) {
        const auto found = std::ranges::find_if(comparison.parts, [&](const PartDifference& difference) {
            return difference.layer == part.layer && difference.operation == part.operation;
        });
        if (found != comparison.parts.end()) {
            found->before = part.milliseconds.median;
            found->shown = !sameTimes(part.milliseconds, partOf(profile, part).milliseconds);
        } else {
            comparison.parts.push_back({part.layer, part.operation, part.milliseconds.median, 0});
        }
    }
    std::ranges::stable_sort(comparison.parts, std::ranges::greater{}, &PartDifference::gained);
    return comparison;
}

} // namespace halfstep::analysis
