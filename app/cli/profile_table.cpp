#include "app/cli/profile_table.h"
#include "app/cli/text.h"
#include "engine/analysis/roofline.h"
#include "engine/analysis/why.h"
#include "engine/values/json.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace halfstep::app {
namespace {

using analysis::RooflinePoint;
using values::ProfilePart;
using values::StepProfile;
using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

/// Three figures or so, as a person reads rates.
std::string rateText(double value) {
    return value >= 99.95   ? fmt::format("{:.0f}", value)
           : value >= 9.995 ? fmt::format("{:.1f}", value)
                            : fmt::format("{:.2f}", value);
}

std::string counted(double count, double value) {
    return count > 0 ? rateText(value) : "-";
}

std::string_view shownName(analysis::Bound bound) {
    return bound == analysis::Bound::Unknown ? "-" : nameOf(bound);
}

const ProfilePart* partOf(const StepProfile& profile, const ProfilePart& like) {
    const auto found = std::ranges::find_if(profile.parts, [&](const ProfilePart& part) {
        return part.layer == like.layer && part.operation == like.operation;
    });
    return found == profile.parts.end() ? nullptr : &*found;
}

Row headerOf(const StepProfile* baseline) {
    Row header{"layer", "operation", "ms", "q25", "q75", "share"};
    if (baseline != nullptr) {
        header.push_back(fmt::format("{} ms", precision::traitsOf(baseline->config.policy).name));
        header.emplace_back("gained");
    }
    for (const char* title : {"GFLOP/s", "GB/s", "FLOP/byte", "of roof", "bound by", "done by"}) {
        header.emplace_back(title);
    }
    return header;
}

Row rowOf(const ProfilePart& part, const StepProfile& profile, const StepProfile* baseline) {
    const RooflinePoint point = analysis::rooflineOf(part, profile.ceilings);
    const values::StepTimes& times = part.milliseconds;
    Row row{part.layer,
            part.operation,
            fmt::format("{:.3f}", times.median),
            fmt::format("{:.3f}", times.q25),
            fmt::format("{:.3f}", times.q75),
            fmt::format("{:.1f} %", 100 * part.share)};
    if (baseline != nullptr) {
        const ProfilePart* before = partOf(*baseline, part);
        row.push_back(before != nullptr ? fmt::format("{:.3f}", before->milliseconds.median) : "-");
        row.push_back(fmt::format("{:+.3f}", (before != nullptr ? before->milliseconds.median : 0) - times.median));
    }
    row.push_back(counted(part.flops, point.gflops));
    row.push_back(counted(part.bytes, point.gbps));
    row.push_back(counted(part.bytes, point.intensity));
    row.push_back(point.shareOfRoof > 0 ? fmt::format("{:.0f} %", 100 * point.shareOfRoof) : "-");
    row.emplace_back(shownName(point.bound));
    row.push_back(part.algorithm);
    return row;
}

std::string measuredWith(const StepProfile& profile) {
    const values::Ceilings& ceilings = profile.ceilings;
    return fmt::format(
        "\nCeilings of {} with {} on {} thread{}: {:.0f} GFLOP/s, {:.1f} GB/s; they meet at {:.1f} FLOP/byte.\n"
        "{} steps with the clock (median {} ms) and {} without ({} ms), in turn, after {} to warm up ({} ms){}.\n"
        "GFLOP/s counts what each algorithm does itself, GB/s what its tensors take at least: spectra are not "
        "in it.\n",
        profile.environment.cpu, ceilings.isa, ceilings.threads, ceilings.threads == 1 ? "" : "s", ceilings.gflops,
        ceilings.memoryGbps(), analysis::ridgeOf(ceilings), profile.steps,
        millisecondsText(profile.profiledStep.median), profile.steps, millisecondsText(profile.unprofiledStep.median),
        profile.warmUpSteps, millisecondsText(profile.warmUpMilliseconds),
        profile.skippedSteps > 0
            ? fmt::format("; {} were left out, whose gradients were not finite", profile.skippedSteps)
            : "");
}

Json derived(const StepProfile& profile) {
    Json json = values::toJson(profile);
    for (std::size_t i = 0; i < profile.parts.size(); ++i) {
        const RooflinePoint point = analysis::rooflineOf(profile.parts[i], profile.ceilings);
        json["parts"][i].update(Json{{"intensity", values::numberJson(point.intensity)},
                                     {"gflops", values::numberJson(point.gflops)},
                                     {"direct_gflops", values::numberJson(point.directGflops)},
                                     {"gbps", values::numberJson(point.gbps)},
                                     {"share_of_roof", values::numberJson(point.shareOfRoof)},
                                     {"bound", nameOf(point.bound)}});
    }
    return json;
}

} // namespace

std::string profileText(const StepProfile& profile, const StepProfile* baseline) {
    std::string text;
    for (const std::string& sentence : analysis::whySentences(profile, baseline)) {
        text += sentence + '\n';
    }
    std::vector<Row> rows{headerOf(baseline)};
    for (const ProfilePart& part : profile.parts) {
        rows.push_back(rowOf(part, profile, baseline));
    }
    return text + '\n' + alignedTable(rows) + measuredWith(profile);
}

Json profileJson(const StepProfile& profile, const StepProfile* baseline) {
    const analysis::BoundShares shares = analysis::boundSharesOf(profile);
    Json json{{"sentences", analysis::whySentences(profile, baseline)},
              {"bounds",
               {{"arithmetic", values::numberJson(shares.arithmetic)},
                {"memory", values::numberJson(shares.memory)},
                {"neither", values::numberJson(shares.neither)},
                {"unknown", values::numberJson(shares.unknown)},
                {"halvable", values::numberJson(shares.halvable)}}},
              {"most_by_halving", values::numberJson(analysis::mostByHalving(shares))},
              {"speedup", nullptr}};
    if (baseline != nullptr) {
        json["speedup"] = values::numberJson(analysis::compare(*baseline, profile).speedup());
    }
    json.update(derived(profile));
    json["against"] = baseline != nullptr ? derived(*baseline) : Json(nullptr);
    return json;
}

} // namespace halfstep::app
