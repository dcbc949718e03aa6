#include "engine/train/trainer.h"
#include "engine/backend/backend.h"
#include "engine/tensor/error.h"
#include "engine/train/failed_allocation.h"
#include "engine/train/memory_plan.h"
#include "engine/train/training_run.h"

namespace halfstep::train {
namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

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

values::RunSummary Trainer::run(const values::EventSink& report, const RunControl& control, RunStart start) {
    Whereabouts where;
    try {
        TrainingRun run(m_config, m_dataset, m_device, plan(), report, control, std::move(start), where);
        const values::RunSummary summary = run.toEnd();
        m_weights = run.weights();
        return summary;
    } catch (...) {
        const auto classes = static_cast<std::int64_t>(m_dataset->info().classes.size());
        const std::string sentence = failedAllocation(where, planOf(m_config, classes), *m_device).sentence;
        throw OutOfMemoryError(sentence);
    }
}

} // namespace halfstep::train
