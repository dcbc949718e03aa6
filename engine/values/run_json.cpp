#include "engine/values/json.h"
#include "engine/values/number_text.h"
#include <cmath>
#include <nlohmann/json.hpp>

namespace halfstep::values {
namespace {
using Json = nlohmann::ordered_json;

Json optionalNumber(const std::optional<double>& value) {
    return value ? numberJson(*value) : Json(nullptr);
}

/// Training figures of the last epoch that was begun; validation figures of the last that was validated.
Json finalFigures(const RunSummary& summary) {
    std::optional<double> loss = summary.loss;
    std::optional<double> accuracy = summary.accuracy;
    Json valLoss = nullptr;
    Json valAccuracy = nullptr;
    if (!summary.epochsLog.empty()) {
        const EpochRecord& last = summary.epochsLog.back();
        loss = loss.value_or(last.loss);
        accuracy = accuracy.value_or(last.accuracy);
        valLoss = optionalNumber(last.valLoss);
        valAccuracy = optionalNumber(last.valAccuracy);
    }
    return {{"loss", optionalNumber(loss)},
            {"accuracy", optionalNumber(accuracy)},
            {"val_loss", valLoss},
            {"val_accuracy", valAccuracy}};
}

} // namespace

Json numberJson(double value) {
    return std::isfinite(value) ? Json(value) : Json(numberText(value));
}

Json toJson(const EpochRecord& epoch) {
    return {{"epoch", epoch.epoch},
            {"loss", numberJson(epoch.loss)},
            {"accuracy", numberJson(epoch.accuracy)},
            {"val_loss", optionalNumber(epoch.valLoss)},
            {"val_accuracy", optionalNumber(epoch.valAccuracy)},
            {"seconds", numberJson(epoch.seconds)}};
}

Json toJson(const RunSummary& summary, const Environment& environment, const ExperimentConfig& config) {
    Json epochs = Json::array();
    for (const EpochRecord& epoch : summary.epochsLog) {
        epochs.push_back(toJson(epoch));
    }
    Json document{{"run", summary.run > 0 ? Json(summary.run) : Json(nullptr)},
                  {"status", nameOf(summary.status)},
                  {"steps", summary.steps},
                  {"epochs", summary.epochs},
                  {"skipped_steps", summary.skippedSteps},
                  {"median_step_ms", optionalNumber(summary.medianStepMilliseconds)},
                  {"peak_bytes", summary.peakBytes},
                  {"final", finalFigures(summary)},
                  {"epochs_log", std::move(epochs)},
                  {"environment", toJson(environment)},
                  {"config", toJson(config)},
                  {"message", summary.message}};
    if (summary.lostUpdates) { // the history keeps it with the steps alone
        document["lost_updates"] = numberJson(*summary.lostUpdates);
    }
    return document;
}

} // namespace halfstep::values
