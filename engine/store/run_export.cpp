#include "engine/store/run_export.h"
#include "engine/store/atomic_file.h"
#include "engine/values/json.h"
#include "engine/values/number_text.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace halfstep::store {
using values::numberText;

std::string_view stepsCsvHeader() {
    return "run,step,epoch,batch_size,loss,accuracy,step_ms,data_wait_ms,loss_scale,skipped,"
           "first_non_finite,lost_updates";
}

std::string stepsCsvRow(std::int64_t run, const values::StepRecord& step) {
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", run, step.step, step.epoch, step.batchSize,
                       numberText(step.loss), numberText(step.accuracy), numberText(step.stepMilliseconds),
                       numberText(step.dataWaitMilliseconds), step.lossScale ? numberText(*step.lossScale) : "",
                       step.skipped ? 1 : 0, step.firstNonFinite,
                       step.lostUpdates ? numberText(*step.lostUpdates) : "");
}

void writeStepsCsv(std::ostream& out, std::int64_t run, const std::vector<values::StepRecord>& steps) {
    out << stepsCsvHeader() << '\n';
    for (const values::StepRecord& step : steps) {
        out << stepsCsvRow(run, step) << '\n';
    }
}

nlohmann::ordered_json runJson(const StoredRun& run, const std::vector<values::EpochRecord>& epochs,
                               const std::vector<values::StepRecord>* steps) {
    values::RunSummary summary;
    summary.run = run.id;
    summary.status = run.status;
    summary.steps = run.stepsDone;
    summary.epochs = run.epochsDone;
    summary.skippedSteps = run.skippedSteps;
    summary.medianStepMilliseconds = run.medianStepMilliseconds;
    summary.peakBytes = run.peakBytes;
    summary.epochsLog = epochs;
    summary.loss = run.loss;
    summary.accuracy = run.accuracy;
    summary.message = run.message;

    nlohmann::ordered_json json = values::toJson(summary, run.environment, run.config);
    json["data_name"] = run.dataName;
    json["started_at"] = run.startedAt;
    json["ended_at"] = run.endedAt.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(run.endedAt);
    if (steps != nullptr) {
        nlohmann::ordered_json log = nlohmann::ordered_json::array();
        for (const values::StepRecord& step : *steps) {
            log.push_back({{"step", step.step},
                           {"epoch", step.epoch},
                           {"batch_size", step.batchSize},
                           {"loss", values::numberJson(step.loss)},
                           {"accuracy", values::numberJson(step.accuracy)},
                           {"step_ms", values::numberJson(step.stepMilliseconds)},
                           {"data_wait_ms", values::numberJson(step.dataWaitMilliseconds)},
                           {"loss_scale", step.lossScale ? values::numberJson(*step.lossScale) : nullptr},
                           {"skipped", step.skipped},
                           {"first_non_finite", step.firstNonFinite},
                           {"lost_updates", step.lostUpdates ? values::numberJson(*step.lostUpdates) : nullptr}});
        }
        json["steps_log"] = std::move(log);
    }
    return json;
}

void writeFileAtomically(const std::filesystem::path& file, std::string_view content) {
    AtomicFile out(file);
    out.write(content);
    out.commit();
}

} // namespace halfstep::store
