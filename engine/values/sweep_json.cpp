#include "engine/values/sweep_json.h"
#include "engine/values/json.h"
#include "engine/values/json_fields.h"

namespace halfstep::values {
namespace {
using Json = nlohmann::ordered_json;

Json policyNames(const std::vector<precision::Policy>& policies) {
    Json names = Json::array();
    for (const precision::Policy policy : policies) {
        names.push_back(precision::traitsOf(policy).name);
    }
    return names;
}

/// The elements of a list, each read as a field is; what is there already stays where the list is missing.
template <typename T>
void readList(const Json& json, const char* name, std::vector<T>& to) {
    const auto list = json.find(name);
    if (list == json.end() || !list->is_array()) {
        return;
    }
    to.clear();
    for (const Json& element : *list) {
        const Json wrapped = Json::object({{name, element}});
        T value{};
        if constexpr (std::is_same_v<T, precision::Policy>) {
            Fields(wrapped).read(name, value, &precision::policyNamed);
        } else {
            Fields(wrapped).read(name, value);
        }
        to.push_back(std::move(value));
    }
}

Json numbers(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(numberJson(value));
    }
    return list;
}

Json toJson(const std::optional<PredictedMemory>& memory) {
    if (!memory) {
        return nullptr;
    }
    return {{"variables", memory->variables},
            {"optimizer", memory->optimizer},
            {"activations", memory->activations},
            {"gradients", memory->gradients},
            {"reserve", memory->reserve},
            {"workspace", memory->workspace},
            {"peak", memory->peak}};
}

std::optional<PredictedMemory> memoryFrom(const Json& cell) {
    const auto json = cell.find("predicted");
    if (json == cell.end() || json->is_null()) {
        return std::nullopt;
    }
    const Fields fields(*json);
    PredictedMemory memory;
    fields.read("variables", memory.variables);
    fields.read("optimizer", memory.optimizer);
    fields.read("activations", memory.activations);
    fields.read("gradients", memory.gradients);
    fields.read("reserve", memory.reserve);
    fields.read("workspace", memory.workspace);
    fields.read("peak", memory.peak);
    return memory;
}

Json toJson(const Baseline& baseline) {
    return {{"policy", baseline.policy ? Json(precision::traitsOf(*baseline.policy).name) : Json(nullptr)},
            {"device", orNull(baseline.device)},
            {"isa", orNull(baseline.isa)}};
}

Baseline baselineFrom(const Json& json) {
    const auto text = [&](const char* name) {
        const auto found = json.find(name);
        return found != json.end() && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
    };
    const auto policy = text("policy");
    return {policy ? precision::policyNamed(*policy) : std::nullopt, text("device"), text("isa")};
}

} // namespace

Json toJson(const SweepConfig& config) {
    return {{"base", toJson(config.base)},
            {"policies", policyNames(config.policies)},
            {"batch_sizes", config.batchSizes},
            {"devices", config.devices},
            {"isas", config.isas},
            {"steps", config.steps},
            {"warmup", config.warmup},
            {"repeats", config.repeats},
            {"order_seed", config.orderSeed},
            {"input", nameOf(config.input)},
            {"baseline", toJson(config.baseline)}};
}

SweepConfig sweepConfigFrom(const Json& json) {
    const Fields fields(json);
    SweepConfig config;
    if (const auto base = json.find("base"); base != json.end()) {
        config.base = experimentConfigFrom(*base);
    }
    readList(json, "policies", config.policies);
    readList(json, "batch_sizes", config.batchSizes);
    readList(json, "devices", config.devices);
    readList(json, "isas", config.isas);
    fields.read("steps", config.steps);
    fields.read("warmup", config.warmup);
    fields.read("repeats", config.repeats);
    fields.read("order_seed", config.orderSeed);
    fields.read("input", config.input, &sweepInputNamed);
    if (const auto baseline = json.find("baseline"); baseline != json.end() && baseline->is_object()) {
        config.baseline = baselineFrom(*baseline);
    }
    return config;
}

Json toJson(const SweepCell& cell) {
    return {{"policy", precision::traitsOf(cell.key.policy).name},
            {"batch_size", cell.key.batchSize},
            {"device", cell.key.device},
            {"isa", cell.key.isa},
            {"status", nameOf(cell.status)},
            {"message", cell.message},
            {"device_text", cell.deviceText},
            {"used_isa", cell.isa},
            {"computed_in", cell.computedIn},
            {"predicted", toJson(cell.predicted)},
            {"free_bytes", orNull(cell.freeBytes)},
            {"largest_batch", orNull(cell.largestBatch)},
            {"convolutions", toJson(cell.convolutions)}};
}

SweepCell sweepCellFrom(const Json& json) {
    const Fields fields(json);
    SweepCell cell;
    fields.read("policy", cell.key.policy, &precision::policyNamed);
    fields.read("batch_size", cell.key.batchSize);
    fields.read("device", cell.key.device);
    fields.read("isa", cell.key.isa);
    fields.read("status", cell.status, &cellStatusNamed);
    fields.read("message", cell.message);
    fields.read("device_text", cell.deviceText);
    fields.read("used_isa", cell.isa);
    fields.read("computed_in", cell.computedIn);
    cell.predicted = memoryFrom(json);
    fields.read("free_bytes", cell.freeBytes);
    fields.read("largest_batch", cell.largestBatch);
    cell.convolutions = convolutionUsesFrom(json.value("convolutions", Json::array()));
    return cell;
}

Json toJson(const CellRound& round) {
    return {{"round", round.round},
            {"position", round.position},
            {"started_at", round.startedAt},
            {"warmup_ms", numbers(round.warmupMilliseconds)},
            {"step_ms", numbers(round.stepMilliseconds)},
            {"wait_ms", numbers(round.waitMilliseconds)},
            {"loss", round.loss ? numberJson(*round.loss) : Json(nullptr)},
            {"peak_bytes", round.peakBytes},
            {"load_average", orNull(round.loadAverage)},
            {"clock_mhz", orNull(round.clockMegahertz)},
            {"other_share", orNull(round.otherShare)}};
}

CellRound cellRoundFrom(const Json& json) {
    const Fields fields(json);
    CellRound round;
    fields.read("round", round.round);
    fields.read("position", round.position);
    fields.read("started_at", round.startedAt);
    readList(json, "warmup_ms", round.warmupMilliseconds);
    readList(json, "step_ms", round.stepMilliseconds);
    readList(json, "wait_ms", round.waitMilliseconds);
    fields.read("loss", round.loss);
    fields.read("peak_bytes", round.peakBytes);
    fields.read("load_average", round.loadAverage);
    fields.read("clock_mhz", round.clockMegahertz);
    fields.read("other_share", round.otherShare);
    return round;
}

} // namespace halfstep::values
