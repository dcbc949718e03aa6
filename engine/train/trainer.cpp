#include "engine/train/trainer.h"
#include "engine/analysis/statistics.h"
#include "engine/backend/backend.h"
#include "engine/data/data_loader.h"
#include "engine/nn/convnet.h"
#include "engine/optim/optimizer.h"
#include "engine/train/numerics_observer.h"
#include "engine/train/training_step.h"
#include "engine/train/validation.h"
#include <chrono>
#include <fmt/format.h>

namespace halfstep::train {
namespace {

using Clock = std::chrono::steady_clock;
using values::RunStatus;

/// Skipped steps in a row after which a run is said to have diverged: from 2^15 the loss scale is at its floor
/// after 15.
constexpr std::int64_t kSkipsToDiverge = 50;

double millisecondsBetween(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

std::unique_ptr<optim::Optimizer> makeOptimizer(const std::shared_ptr<backend::Backend>& device, nn::ConvNet& network,
                                                const values::ExperimentConfig& config) {
    if (config.optimizer == values::OptimizerKind::Sgd) {
        return optim::makeSgd(device, network.variables(), config.learningRate);
    }
    return optim::makeAdam(device, network.variables(),
                           {.learningRate = config.learningRate, .epsilon = config.epsilon});
}

std::optional<precision::LossScaler> scalerOf(const values::ExperimentConfig& config) {
    const auto options = values::lossScalerOptions(config);
    return options ? std::optional<precision::LossScaler>(*options) : std::nullopt;
}

/// The state of one run, step by step.
class Run {
public:
    Run(const values::ExperimentConfig& config, std::shared_ptr<const data::Dataset> dataset,
        std::shared_ptr<backend::Backend> device, const values::RunPlan& plan, const values::EventSink& report,
        const RunControl& control)
        : m_config(config),
          m_dataset(std::move(dataset)),
          m_device(std::move(device)),
          m_plan(plan),
          m_report(report),
          m_control(control),
          m_network(m_device, {.policy = config.policy,
                               .height = config.imageSize,
                               .width = config.imageSize,
                               .classes = static_cast<std::int64_t>(m_dataset->info().classes.size()),
                               .batchCapacity = config.batchSize}),
          m_optimizer(makeOptimizer(m_device, m_network, config)),
          m_scaler(scalerOf(config)),
          m_step(*m_device, m_network, *m_optimizer, m_scaler ? &*m_scaler : nullptr),
          m_numerics(*m_device) {
        m_network.initialize(config.seed);
    }

    values::RunSummary toEnd() {
        for (int epoch = 1; epoch <= m_plan.epochs && goesOn(); ++epoch) {
            trainEpoch(epoch);
        }
        m_summary.steps = static_cast<std::int64_t>(m_steps.size());
        m_summary.epochs = static_cast<int>(m_summary.epochsLog.size());
        m_summary.skippedSteps = m_scaler ? m_scaler->skippedSteps() : 0;
        m_summary.medianStepMilliseconds = analysis::medianStepMilliseconds(m_steps, m_config.batchSize);
        m_summary.peakBytes = static_cast<std::int64_t>(m_device->peakBytes());
        return m_summary;
    }

private:
    /// False once the run has ended, by itself or by request.
    bool goesOn() {
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

    void trainEpoch(int epoch) {
        const Clock::time_point start = Clock::now();
        const std::int64_t count = static_cast<std::int64_t>(m_dataset->photographs(data::Split::Train).size());
        data::DataLoader loader(m_dataset, data::Split::Train, data::shuffledOrder(count, m_config.seed, epoch),
                                m_config.batchSize);
        double lossSum = 0;
        std::int64_t seen = 0, correct = 0;
        for (;;) {
            const bool allStepsDone = static_cast<std::int64_t>(m_steps.size()) == m_plan.totalSteps;
            if (seen < count && (allStepsDone || !goesOn())) {
                return; // in the middle of the epoch, which then has no record
            }
            const Clock::time_point asked = Clock::now();
            const data::Batch* batch = loader.next();
            if (batch == nullptr) {
                break;
            }
            const StepOutcome outcome = trainStep(epoch, *batch, asked);
            lossSum += outcome.lossSum;
            correct += outcome.correct;
            seen += batch->size;
        }
        finishEpoch({.epoch = epoch,
                     .loss = lossSum / static_cast<double>(seen),
                     .accuracy = static_cast<double>(correct) / static_cast<double>(seen),
                     .valLoss = {},
                     .valAccuracy = {},
                     .seconds = 0,
                     .guesses = {}},
                    start);
    }

    StepOutcome trainStep(int epoch, const data::Batch& batch, Clock::time_point asked) {
        const Clock::time_point start = Clock::now();
        m_device->normalizeImages(batch.images, m_network.input(batch.size));
        values::StepRecord record;
        record.step = static_cast<std::int64_t>(m_steps.size()) + 1;
        const bool observed = m_config.numericsEvery > 0 && (record.step - 1) % m_config.numericsEvery == 0;
        const StepOutcome outcome = m_step.run(batch.labels, observed ? &m_numerics : nullptr);
        record.epoch = epoch;
        record.batchSize = batch.size;
        record.loss = outcome.loss;
        record.accuracy = static_cast<double>(outcome.correct) / batch.size;
        record.stepMilliseconds = millisecondsBetween(start, Clock::now());
        record.dataWaitMilliseconds = millisecondsBetween(asked, start);
        record.lossScale = outcome.lossScale;
        record.skipped = !outcome.gradientsFinite;
        record.firstNonFinite = outcome.firstNonFinite;
        if (outcome.updates.wanted > 0) {
            record.lostUpdates =
                static_cast<double>(outcome.updates.lost) / static_cast<double>(outcome.updates.wanted);
        }
        m_steps.push_back(record);
        m_report(record);
        if (observed) {
            m_report(m_numerics.take(record.step, record.lossScale.value_or(1)));
        }
        judge(record);
        return outcome;
    }

    /// Says what a skipped step means, and ends a run that cannot recover.
    void judge(const values::StepRecord& record) {
        const std::string culprit = record.firstNonFinite.empty()
                                        ? "a gradient is not finite"
                                        : fmt::format("the first non-finite tensor is the {}", record.firstNonFinite);
        if (record.skipped && !record.lossScale) {
            diverge(
                fmt::format("Diverged at step {}: {}, and this run has no loss scaling to recover with. Lower the "
                            "learning rate.",
                            record.step, culprit));
            return;
        }
        if (record.skipped && m_scaler->skippedStreak() >= kSkipsToDiverge) {
            diverge(fmt::format("Diverged at step {}: gradients were not finite for {} steps in a row, with the loss "
                                "scale at {:g}; {}. Lower the learning rate.",
                                record.step, kSkipsToDiverge, m_scaler->scale(), culprit));
            return;
        }
        if (record.skipped) {
            m_report(values::Notice{values::Severity::Warning,
                                    fmt::format("Step {} was skipped: {}; the loss scale {}.", record.step, culprit,
                                                changeOfScale(*record.lossScale))});
        } else if (record.lossScale && m_scaler->scale() != *record.lossScale) {
            m_report(values::Notice{values::Severity::Information,
                                    fmt::format("Step {}: gradients have been finite for long; the loss scale {}.",
                                                record.step, changeOfScale(*record.lossScale))});
        }
    }

    std::string changeOfScale(double before) const {
        return m_scaler->scale() == before ? fmt::format("stays at {:g}", before)
                                           : fmt::format("goes from {:g} to {:g}", before, m_scaler->scale());
    }

    void diverge(const std::string& message) {
        m_summary.status = RunStatus::Diverged;
        m_summary.message = message;
        m_report(values::Notice{values::Severity::Warning, message});
    }

    void finishEpoch(values::EpochRecord record, Clock::time_point start) {
        if (m_summary.status == RunStatus::Diverged) {
            return;
        }
        if (m_plan.validationBatches > 0) {
            const auto validated =
                validate(m_network, *m_device, m_dataset, m_config.batchSize, [&](std::int64_t done) {
                    m_report(values::ValidationProgress{record.epoch, done, m_plan.validationBatches});
                    return goesOn();
                });
            if (validated) {
                record.valLoss = validated->loss;
                record.valAccuracy = validated->accuracy;
                record.guesses = validated->guesses;
            }
        }
        record.seconds = millisecondsBetween(start, Clock::now()) / 1000;
        m_summary.epochsLog.push_back(record);
        m_report(record);
    }

    const values::ExperimentConfig& m_config;
    std::shared_ptr<const data::Dataset> m_dataset;
    std::shared_ptr<backend::Backend> m_device;
    const values::RunPlan& m_plan;
    const values::EventSink& m_report;
    const RunControl& m_control;
    nn::ConvNet m_network;
    std::unique_ptr<optim::Optimizer> m_optimizer;
    std::optional<precision::LossScaler> m_scaler;
    TrainingStep m_step;
    NumericsObserver m_numerics;
    std::vector<values::StepRecord> m_steps;
    values::RunSummary m_summary;
};

} // namespace

Trainer::Trainer(values::ExperimentConfig config, std::shared_ptr<const data::Dataset> dataset,
                 std::shared_ptr<backend::Backend> device)
    : m_config(std::move(config)),
      m_dataset(std::move(dataset)),
      m_device(std::move(device)) {}

values::RunPlan Trainer::plan() const {
    const auto count = [&](data::Split split) {
        return static_cast<std::int64_t>(m_dataset->photographs(split).size());
    };
    values::RunPlan plan;
    plan.stepsPerEpoch = ceilDiv(count(data::Split::Train), m_config.batchSize);
    plan.totalSteps = m_config.steps.value_or(plan.stepsPerEpoch * m_config.epochs);
    plan.epochs = static_cast<int>(ceilDiv(plan.totalSteps, plan.stepsPerEpoch));
    plan.validationBatches = ceilDiv(count(data::Split::Validation), m_config.batchSize);
    plan.deviceText = m_device->text();
    return plan;
}

values::RunSummary Trainer::run(const values::EventSink& report, const RunControl& control) {
    const values::RunPlan plan = this->plan();
    return Run(m_config, m_dataset, m_device, plan, report, control).toEnd();
}

} // namespace halfstep::train
