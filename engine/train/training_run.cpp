#include "engine/train/training_run.h"
#include "engine/analysis/statistics.h"
#include "engine/backend/backend.h"
#include "engine/tensor/error.h"
#include "engine/train/step_remarks.h"
#include "engine/train/validation.h"
#include "engine/train/weights_file.h"
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace halfstep::train {
using values::RunStatus;

namespace {

template <typename Duration>
double millisecondsOf(Duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

std::int64_t classesOf(const data::Dataset& dataset) {
    return static_cast<std::int64_t>(dataset.info().classes.size());
}

} // namespace

TrainingRun::TrainingRun(const values::ExperimentConfig& config, std::shared_ptr<const data::Dataset> dataset,
                         std::shared_ptr<backend::Backend> device, values::RunPlan plan,
                         const values::EventSink& report, const RunControl& control, RunStart start,
                         Whereabouts& where)
    : m_config(config),
      m_dataset(std::move(dataset)),
      m_plan(std::move(plan)),
      m_report(report),
      m_control(control),
      m_where(where),
      m_state(config, classesOf(*m_dataset), std::move(device)),
      m_step(*m_state.device, m_state.network, *m_state.optimizer, m_state.scaler ? &*m_state.scaler : nullptr),
      m_numerics(*m_state.device) {
    m_step.tell(m_where);
    if (!config.checkpoint.empty()) {
        m_folder.emplace(config.checkpoint);
    }
    m_checkpoint = {.run = start.run,
                    .halfstepVersion = start.halfstepVersion,
                    .config = config,
                    .dataFingerprint = m_dataset->info().fingerprint};
    for (const data::ClassInfo& known : m_dataset->info().classes) {
        m_checkpoint.classes.push_back(known.name);
    }
    takeUp(start);
    m_steps = std::move(start.steps);
    m_summary.epochsLog = std::move(start.epochs);
}

void TrainingRun::takeUp(const RunStart& start) {
    if (start.resume) {
        m_state.restore(*start.resume);
        m_position = start.resume->state.position;
        m_best = BestEpoch(start.resume->state.best);
    } else if (!start.weights.empty()) {
        m_state.load(start.weights, useOfWeights(m_config.weights));
    }
}

values::RunSummary TrainingRun::toEnd() {
    while (!isAtEnd(m_position, m_plan) && !m_stoppedEarly && goesOn()) {
        trainEpoch();
    }
    if (m_summary.status != RunStatus::Diverged) { // whose weights nobody can go on with
        keepCheckpoint();
    }
    m_summary.steps = m_position.step;
    m_summary.epochs = static_cast<int>(m_summary.epochsLog.size());
    m_summary.skippedSteps = m_state.scaler ? m_state.scaler->skippedSteps() : 0;
    m_summary.medianStepMilliseconds = analysis::medianStepMilliseconds(m_steps, m_config.batchSize);
    m_summary.peakBytes = static_cast<std::int64_t>(m_state.device->peakBytes());
    return m_summary;
}

std::vector<NamedArray> TrainingRun::weights() {
    m_where = {Phase::Checkpoint, m_position.step};
    return download(*m_state.device, variablesOf(m_state.network));
}

/// False once the run has ended, by itself or by request.
bool TrainingRun::goesOn() {
    if (m_summary.status != RunStatus::Finished) {
        return false;
    }
    if (m_control.pause != nullptr) {
        m_control.pause->waitWhilePaused(m_control.stop);
    }
    if (m_control.stop.stop_requested()) {
        m_summary.status = RunStatus::Stopped;
        return false;
    }
    return true;
}

void TrainingRun::trainEpoch() {
    m_countedUntil = Clock::now();
    m_where = {Phase::Upload, m_position.step + 1};
    const auto count = static_cast<std::int64_t>(m_dataset->photographs(data::Split::Train).size());
    std::vector<std::int64_t> order = data::shuffledOrder(count, m_config.seed, m_position.epoch);
    order.erase(order.begin(), order.begin() + m_position.photographs);
    data::DataLoader loader(m_dataset, data::Split::Train, std::move(order), m_config.batchSize);
    while (m_position.photographs < count) {
        if (m_position.step >= m_plan.totalSteps || !goesOn()) {
            countTime();
            return; // in the middle of the epoch, which then has no record
        }
        m_where = {Phase::Upload, m_position.step + 1};
        const Clock::time_point asked = Clock::now();
        const data::Batch& batch = *loader.next();
        const StepOutcome outcome = trainStep(batch, asked);
        m_position.lossSum += outcome.lossSum;
        m_position.correct += outcome.correct;
        m_position.photographs += batch.size;
        ++m_position.batches;
        if (m_summary.status == RunStatus::Diverged) {
            return;
        }
        const bool due = m_config.checkpointEvery && m_position.step % *m_config.checkpointEvery == 0;
        if (due && m_position.photographs < count) { // at the epoch's end it waits for the validation
            countTime();
            keepCheckpoint();
        }
    }
    finishEpoch();
}

StepOutcome TrainingRun::trainStep(const data::Batch& batch, Clock::time_point asked) {
    const Clock::time_point start = Clock::now();
    m_state.device->normalizeImages(batch.images, m_state.network.input(batch.size));
    values::StepRecord record;
    record.step = ++m_position.step;
    const bool observed = m_config.numericsEvery > 0 && (record.step - 1) % m_config.numericsEvery == 0;
    const StepOutcome outcome = m_step.run(batch.labels, observed ? &m_numerics : nullptr);
    record.epoch = m_position.epoch;
    record.batchSize = batch.size;
    record.loss = outcome.loss;
    record.accuracy = static_cast<double>(outcome.correct) / batch.size;
    record.stepMilliseconds = millisecondsOf(Clock::now() - start);
    record.dataWaitMilliseconds = millisecondsOf(start - asked);
    record.lossScale = outcome.lossScale;
    record.skipped = !outcome.gradientsFinite;
    record.firstNonFinite = outcome.firstNonFinite;
    if (outcome.updates.wanted > 0) {
        record.lostUpdates = static_cast<double>(outcome.updates.lost) / static_cast<double>(outcome.updates.wanted);
    }
    m_steps.push_back(record);
    m_report(record);
    if (observed) {
        m_report(m_numerics.take(record.step, record.lossScale.value_or(1)));
    }
    const precision::LossScaler* scaler = m_state.scaler ? &*m_state.scaler : nullptr;
    if (const std::string divergence = divergenceOf(record, scaler); !divergence.empty()) {
        diverge(divergence);
    } else if (const auto remark = remarkOn(record, scaler)) {
        m_report(*remark);
    }
    return outcome;
}

void TrainingRun::diverge(const std::string& message) {
    m_summary.status = RunStatus::Diverged;
    m_summary.message = message;
    m_report(values::Notice{values::Severity::Warning, message});
}

bool TrainingRun::validateInto(values::EpochRecord& record) {
    if (m_plan.validationBatches == 0) {
        return true;
    }
    m_where = {Phase::Validation, m_position.step};
    const auto goesOnAfter = [&](std::int64_t done) {
        m_report(values::ValidationProgress{record.epoch, done, m_plan.validationBatches});
        return done == m_plan.validationBatches || goesOn();
    };
    const auto validated = validate(m_state.network, *m_state.device, m_dataset, m_config.batchSize, goesOnAfter);
    if (validated) {
        record.valLoss = validated->loss;
        record.valAccuracy = validated->accuracy;
        record.guesses = validated->guesses;
    }
    return validated.has_value();
}

void TrainingRun::finishEpoch() {
    const auto photographs = static_cast<double>(m_position.photographs);
    values::EpochRecord record;
    record.epoch = m_position.epoch;
    record.loss = m_position.lossSum / photographs;
    record.accuracy = static_cast<double>(m_position.correct) / photographs;
    const bool validated = validateInto(record);
    countTime();
    record.seconds = m_position.seconds;
    m_summary.epochsLog.push_back(record);
    m_report(record);
    if (!validated) {
        return;
    }
    m_position = {.step = m_position.step, .epoch = m_position.epoch + 1};
    judgeEpoch(record);
    keepCheckpoint();
}

void TrainingRun::judgeEpoch(const values::EpochRecord& record) {
    const double loss =
        m_state.weightsAreFinite() ? record.valLoss.value_or(record.loss) : std::numeric_limits<double>::quiet_NaN();
    m_best.take(record.epoch, m_position.step, loss);
    m_stoppedEarly = m_best.exhausts(m_config.earlyStoppingPatience);
    if (m_stoppedEarly && record.epoch < m_plan.epochs) {
        const BestEpoch::State& best = m_best.state();
        const std::string since = best.epoch == 0
                                      ? "no epoch had a finite loss"
                                      : fmt::format("the best is {:.4f}, of epoch {}", best.loss, best.epoch);
        m_report(values::Notice{values::Severity::Information,
                                fmt::format("Early stopping ends the run after epoch {}: {} epoch{} in a row had no "
                                            "better {} loss; {}.",
                                            record.epoch, best.epochsWithoutBetter,
                                            best.epochsWithoutBetter == 1 ? "" : "s",
                                            record.valLoss ? "validation" : "training", since)});
    }
}

void TrainingRun::countTime() {
    const Clock::time_point now = Clock::now();
    m_position.seconds += millisecondsOf(now - std::exchange(m_countedUntil, now)) / 1000;
}

void TrainingRun::keepCheckpoint() {
    if (!m_folder || m_written == m_position) {
        return;
    }
    m_where = {Phase::Checkpoint, m_position.step};
    Checkpoint checkpoint{.state = m_checkpoint};
    checkpoint.state.position = m_position;
    checkpoint.state.best = m_best.state();
    m_state.putInto(checkpoint);
    try {
        m_folder->write(checkpoint);
        m_written = m_position;
    } catch (const StoreError& error) {
        m_report(
            values::Notice{values::Severity::Warning,
                           fmt::format("The checkpoint after step {} could not be kept: {} The one before stays.",
                                       m_position.step, error.what())});
    }
}

} // namespace halfstep::train
