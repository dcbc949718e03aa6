#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include "engine/values/profile.h"
#include <nlohmann/json.hpp>

namespace halfstep::values {
namespace {
using Json = nlohmann::ordered_json;

Json toJson(const StepTimes& times) {
    return {{"median_ms", numberJson(times.median)},
            {"q25_ms", numberJson(times.q25)},
            {"q75_ms", numberJson(times.q75)}};
}

StepTimes timesFrom(const Json& json) {
    return {json.at("median_ms").get<double>(), json.at("q25_ms").get<double>(), json.at("q75_ms").get<double>()};
}

Json toJson(const ProfilePart& part) {
    Json json{{"layer", part.layer}, {"operation", part.operation}, {"kind", nameOf(part.kind)}};
    json.update(toJson(part.milliseconds));
    json.update(Json{{"share", numberJson(part.share)},
                     {"flops", numberJson(part.flops)},
                     {"direct_flops", numberJson(part.directFlops)},
                     {"bytes", numberJson(part.bytes)},
                     {"algorithm", part.algorithm}});
    return json;
}

ProfilePart partFrom(const Json& json) {
    return {.layer = json.at("layer").get<std::string>(),
            .operation = json.at("operation").get<std::string>(),
            .kind = partKindNamed(json.at("kind").get<std::string>()).value(),
            .milliseconds = timesFrom(json),
            .share = json.at("share").get<double>(),
            .flops = json.at("flops").get<double>(),
            .directFlops = json.at("direct_flops").get<double>(),
            .bytes = json.at("bytes").get<double>(),
            .algorithm = json.at("algorithm").get<std::string>()};
}

Json toJson(const Ceilings& ceilings) {
    return {{"isa", ceilings.isa},
            {"threads", ceilings.threads},
            {"gflops", numberJson(ceilings.gflops)},
            {"read_gbps", numberJson(ceilings.readGbps)},
            {"copy_gbps", numberJson(ceilings.copyGbps)},
            {"triad_gbps", numberJson(ceilings.triadGbps)}};
}

Ceilings ceilingsFrom(const Json& json) {
    return {.isa = json.at("isa").get<std::string>(),
            .threads = json.at("threads").get<int>(),
            .gflops = json.at("gflops").get<double>(),
            .readGbps = json.at("read_gbps").get<double>(),
            .copyGbps = json.at("copy_gbps").get<double>(),
            .triadGbps = json.at("triad_gbps").get<double>()};
}

} // namespace

Json toJson(const StepProfile& profile) {
    Json parts = Json::array();
    for (const ProfilePart& part : profile.parts) {
        parts.push_back(toJson(part));
    }
    return {{"profiled_step", toJson(profile.profiledStep)},
            {"unprofiled_step", toJson(profile.unprofiledStep)},
            {"sum_of_parts_ms", numberJson(profile.sumOfParts())},
            {"processor_share", numberJson(profile.processorShare)},
            {"steps", profile.steps},
            {"warmup_steps", profile.warmUpSteps},
            {"warmup_ms", numberJson(profile.warmUpMilliseconds)},
            {"skipped_steps", profile.skippedSteps},
            {"classes", profile.classes},
            {"ceilings", toJson(profile.ceilings)},
            {"parts", std::move(parts)},
            {"environment", toJson(profile.environment)},
            {"config", toJson(profile.config)}};
}

StepProfile stepProfileFrom(const Json& json) {
    try {
        StepProfile profile;
        profile.profiledStep = timesFrom(json.at("profiled_step"));
        profile.unprofiledStep = timesFrom(json.at("unprofiled_step"));
        profile.processorShare = json.at("processor_share").get<double>();
        profile.steps = json.at("steps").get<std::int64_t>();
        profile.warmUpSteps = json.at("warmup_steps").get<std::int64_t>();
        profile.warmUpMilliseconds = json.at("warmup_ms").get<double>();
        profile.skippedSteps = json.at("skipped_steps").get<std::int64_t>();
        profile.classes = json.at("classes").get<std::int64_t>();
        profile.ceilings = ceilingsFrom(json.at("ceilings"));
        for (const Json& part : json.at("parts")) {
            profile.parts.push_back(partFrom(part));
        }
        profile.environment = environmentFrom(json.at("environment"));
        profile.config = experimentConfigFrom(json.at("config"));
        return profile;
    } catch (const std::exception&) { // nlohmann's, bad_optional_access: each says only what it missed
        throw StoreError("A profile cannot be read; it was made by another version or is damaged.");
    }
}

} // namespace halfstep::values
