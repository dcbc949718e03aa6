#include "engine/train/checkpoint_json.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace halfstep::train {
namespace {
using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const char* name, const char* expected) {
    throw DataError(fmt::format("its \"{}\" is missing or not {}", name, expected));
}

const Json& member(const Json& json, const char* name) {
    const auto found = json.is_object() ? json.find(name) : json.end();
    if (found == json.end()) {
        throw DataError(fmt::format("it lacks \"{}\"", name));
    }
    return *found;
}

/// At least `least`.
template <typename T = std::int64_t>
T whole(const Json& json, const char* name, std::int64_t least = 0) {
    const Json& value = member(json, name);
    if (!value.is_number_integer() || value.get<std::int64_t>() < least ||
        !std::in_range<T>(value.get<std::int64_t>())) {
        refuse(name, "a whole number of its range");
    }
    return value.get<T>();
}

/// As values::numberJson writes it.
double real(const Json& json, const char* name) {
    const Json& value = member(json, name);
    if (value == "nan") {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (value == "inf" || value == "-inf") {
        return value == "inf" ? HUGE_VAL : -HUGE_VAL;
    }
    if (!value.is_number()) {
        refuse(name, "a number");
    }
    return value.get<double>();
}

std::string text(const Json& json, const char* name) {
    const Json& value = member(json, name);
    if (!value.is_string()) {
        refuse(name, "a text");
    }
    return value.get<std::string>();
}

std::vector<std::string> texts(const Json& json, const char* name) {
    const Json& value = member(json, name);
    std::vector<std::string> list;
    for (const Json& item : value) {
        if (!value.is_array() || !item.is_string()) {
            refuse(name, "a list of texts");
        }
        list.push_back(item.get<std::string>());
    }
    return list;
}

Json positionJson(const RunPosition& position) {
    return {{"step", position.step},
            {"epoch", position.epoch},
            {"batches", position.batches},
            {"photographs", position.photographs},
            {"correct", position.correct},
            {"loss_sum", values::numberJson(position.lossSum)},
            {"seconds", values::numberJson(position.seconds)}};
}

RunPosition positionFrom(const Json& json) {
    return {.step = whole(json, "step"),
            .epoch = whole<int>(json, "epoch", 1),
            .batches = whole(json, "batches"),
            .photographs = whole(json, "photographs"),
            .correct = whole(json, "correct"),
            .lossSum = real(json, "loss_sum"),
            .seconds = real(json, "seconds")};
}

Json bestJson(const BestEpoch::State& best) {
    return {{"epoch", best.epoch},
            {"step", best.step},
            {"loss", values::numberJson(best.loss)},
            {"epochs_without_better", best.epochsWithoutBetter}};
}

BestEpoch::State bestFrom(const Json& json) {
    return {.epoch = whole<int>(json, "epoch"),
            .step = whole(json, "step"),
            .loss = real(json, "loss"),
            .epochsWithoutBetter = whole(json, "epochs_without_better")};
}

Json scalerJson(const precision::LossScaler::State& scaler) {
    return {{"scale", values::numberJson(scaler.scale)},
            {"finite_streak", scaler.finiteStreak},
            {"skipped_steps", scaler.skippedSteps},
            {"skipped_streak", scaler.skippedStreak}};
}

precision::LossScaler::State scalerFrom(const Json& json) {
    return {.scale = real(json, "scale"),
            .finiteStreak = whole(json, "finite_streak"),
            .skippedSteps = whole(json, "skipped_steps"),
            .skippedStreak = whole(json, "skipped_streak")};
}

values::ExperimentConfig configFrom(const Json& json) {
    try {
        return values::experimentConfigFrom(json);
    } catch (const ConfigError& error) {
        throw DataError(fmt::format("its settings do not fit this version ({})", error.what()));
    }
}

} // namespace

Json toJson(const CheckpointState& state) {
    return {{"format", kCheckpointFormat},
            {"halfstep_version", state.halfstepVersion},
            {"run", state.run},
            {"position", positionJson(state.position)},
            {"best", bestJson(state.best)},
            {"iterations", state.iterations},
            {"loss_scaler", state.lossScaler ? scalerJson(*state.lossScaler) : Json(nullptr)},
            {"classes", state.classes},
            {"data_fingerprint", state.dataFingerprint},
            {"config", values::toJson(state.config)}};
}

CheckpointState checkpointStateFrom(const Json& json) {
    const auto format = whole(json, "format", 1);
    if (format > kCheckpointFormat) {
        throw DataError(fmt::format("it was made by a newer Halfstep (its format is {}, this program knows {})",
                                    format, kCheckpointFormat));
    }
    CheckpointState state;
    state.halfstepVersion = text(json, "halfstep_version");
    state.run = whole(json, "run");
    state.position = positionFrom(member(json, "position"));
    state.best = bestFrom(member(json, "best"));
    state.iterations = whole(json, "iterations");
    if (const Json& scaler = member(json, "loss_scaler"); !scaler.is_null()) {
        state.lossScaler = scalerFrom(scaler);
    }
    state.classes = texts(json, "classes");
    state.dataFingerprint = text(json, "data_fingerprint");
    state.config = configFrom(member(json, "config"));
    return state;
}

} // namespace halfstep::train
