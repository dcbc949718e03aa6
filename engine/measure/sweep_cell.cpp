#include "engine/measure/sweep_cell.h"
#include "engine/backend/backend.h"
#include "engine/measure/cell_batches.h"
#include "engine/measure/machine_load.h"
#include "engine/store/utc_time.h"
#include "engine/tensor/error.h"
#include "engine/train/environment.h"
#include "engine/train/failed_allocation.h"
#include "engine/train/memory_plan.h"
#include "engine/train/training_state.h"
#include "engine/train/training_step.h"
#include <chrono>
#include <fmt/format.h>
#include <new>

namespace halfstep::measure {
namespace {
using values::CellStatus;

/// Skipped steps that are made up for, more than a loss scale needs on its way down.
constexpr std::int64_t kMostSkipped = 50;

using Clock = std::chrono::steady_clock;

double millisecondsBetween(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

/// A cell whose memory, being handled as an exception, was not given.
void setOutOfMemory(values::SweepCell& cell, const train::FailedAllocation& failed) {
    cell.status = CellStatus::Oom;
    cell.message = failed.sentence;
    cell.freeBytes = failed.freeBytes;
    cell.largestBatch = failed.largestBatch;
}

/// What the exception being handled makes of a cell that has got to `where` on `device`, if that was made at all.
/// Cancelled is thrown on.
void settle(values::SweepCell& cell, const train::Whereabouts& where, const train::TrainingPlan& plan,
            const backend::Backend* device) {
    try {
        try {
            throw;
        } catch (const std::bad_alloc&) {
            if (device == nullptr) {
                throw OutOfMemoryError("the system gives no more memory", "Close other programs.");
            }
            setOutOfMemory(cell, train::failedAllocation(where, plan, *device));
        } catch (const OutOfMemoryError&) {
            if (device == nullptr) {
                throw;
            }
            setOutOfMemory(cell, train::failedAllocation(where, plan, *device));
        }
    } catch (const Cancelled&) {
        throw;
    } catch (const OutOfMemoryError& error) {
        cell.status = CellStatus::Oom;
        cell.message = error.what();
    } catch (const std::bad_alloc&) { // not even enough to find out more
        cell.status = CellStatus::Oom;
        cell.message = "The machine's memory ran out; choose a smaller batch or image size.";
    } catch (const BackendError& error) {
        cell.status = CellStatus::Unsupported;
        cell.message = error.what();
    } catch (const ConfigError& error) {
        cell.status = CellStatus::Unsupported;
        cell.message = error.what();
    } catch (const std::exception& error) {
        cell.status = CellStatus::Failed;
        cell.message = error.what();
    }
}

/// Predicts the cell's memory. False if it does not fit: then it is Oom, with what it lacks.
bool fits(values::SweepCell& cell, const train::TrainingPlan& plan, const backend::Backend& device) {
    const auto shortage = train::shortageOf(plan, device);
    if (!shortage || shortage->wantedBytes) {
        cell.predicted = train::predictMemory(plan, device);
    }
    if (shortage) {
        cell.status = CellStatus::Oom;
        cell.message = shortage->sentence(plan);
        cell.freeBytes = shortage->freeBytes;
        cell.largestBatch = shortage->largestBatch;
    }
    return !shortage;
}

/// A cell's steps, one after the other.
class CellTraining {
public:
    CellTraining(const values::ExperimentConfig& experiment, const RoundTask& task,
                 std::shared_ptr<backend::Backend> device, std::int64_t steps, train::Whereabouts& where)
        : m_where(where),
          m_now(task.now),
          m_device(device),
          m_state(experiment, task.classes, std::move(device)),
          m_step(*m_device, m_state.network, *m_state.optimizer, m_state.scaler ? &*m_state.scaler : nullptr),
          m_batches(
              task.dataset
                  ? pipelineBatches(task.dataset, experiment.seed, experiment.batchSize, steps + kMostSkipped)
                  : syntheticBatches(experiment.imageSize, task.classes, experiment.seed, experiment.batchSize)) {
        m_step.tell(m_where);
    }

    struct Step {
        double waitMilliseconds = 0, milliseconds = 0, loss = 0;
    };
    /// Makes steps until one is whole.
    Step next(const std::stop_token& stop) {
        for (;;) {
            if (stop.stop_requested()) {
                throw Cancelled();
            }
            m_where.phase = train::Phase::Upload;
            ++m_where.step;
            Step step;
            const Clock::time_point asked = m_now();
            const data::Batch& batch = m_batches->next();
            const Clock::time_point begin = m_now();
            step.waitMilliseconds = millisecondsBetween(asked, begin);
            m_device->normalizeImages(batch.images, m_state.network.input(batch.size));
            const train::StepOutcome outcome = m_step.run(batch.labels);
            step.milliseconds = millisecondsBetween(begin, m_now());
            step.loss = outcome.loss;
            if (outcome.gradientsFinite) {
                return step;
            }
            if (++m_skipped >= kMostSkipped) {
                throw Error(fmt::format("{} steps had gradients that are not finite, so there are no whole steps to "
                                        "time; choose another policy, or a smaller learning rate.",
                                        m_skipped));
            }
        }
    }

private:
    train::Whereabouts& m_where;
    std::function<Clock::time_point()> m_now;
    std::shared_ptr<backend::Backend> m_device;
    train::TrainingState m_state;
    train::TrainingStep m_step;
    std::unique_ptr<CellBatches> m_batches;
    std::int64_t m_skipped = 0;
};

} // namespace

values::SweepCell preparedCell(const values::SweepConfig& config, const values::CellKey& key, std::int64_t classes,
                               const DeviceMaker& makeDevice) {
    values::SweepCell cell;
    cell.key = key;
    const values::ExperimentConfig experiment = experimentOf(config, key);
    const train::TrainingPlan plan = train::planOf(experiment, classes);
    std::shared_ptr<backend::Backend> device;
    try {
        device = makeDevice(experiment);
        cell.deviceText = device->text();
        cell.isa = device->isa();
        cell.computedIn = tensor::nameOf(device->computedIn(precision::traitsOf(key.policy).computeDType));
        // Trying convolutions takes memory, so it comes after a first look whether the cell fits at all, and before
        // the prediction that counts.
        if (fits(cell, plan, *device)) {
            cell.convolutions = train::convolutionsOf(*device, experiment);
            fits(cell, plan, *device);
        }
    } catch (...) {
        settle(cell, {}, plan, device.get());
    }
    return cell;
}

void measureRound(values::SweepCell& cell, std::size_t index, values::CellRound round, const RoundTask& task,
                  const std::stop_token& stop) {
    const values::ExperimentConfig experiment = experimentOf(task.config, cell.key);
    const train::TrainingPlan plan = train::planOf(experiment, task.classes);
    const std::int64_t steps = task.config.warmup + task.config.steps;
    std::shared_ptr<backend::Backend> device;
    train::Whereabouts where;
    try {
        round.startedAt = store::utcNow();
        round.loadAverage = loadAverage();
        device = task.makeDevice(experiment);
        cell.deviceText = device->text(); // not known yet if it could not be had before
        cell.isa = device->isa();
        if (!fits(cell, plan, *device)) {
            return;
        }
        CellTraining training(experiment, task, device, steps, where);
        const OtherProcesses others;
        for (std::int64_t step = 1; step <= steps; ++step) {
            const CellTraining::Step made = training.next(stop);
            const bool warmup = step <= task.config.warmup;
            if (warmup) {
                round.warmupMilliseconds.push_back(made.milliseconds);
            } else {
                round.stepMilliseconds.push_back(made.milliseconds);
                round.waitMilliseconds.push_back(made.waitMilliseconds);
            }
            round.loss = made.loss;
            task.report({.cell = index,
                         .round = round.round,
                         .step = step,
                         .steps = steps,
                         .warmup = warmup,
                         .stepMilliseconds = made.milliseconds,
                         .waitMilliseconds = made.waitMilliseconds});
        }
        round.otherShare = others.share();
        round.clockMegahertz = clockMegahertz();
        round.peakBytes = device->peakBytes();
        cell.rounds.push_back(std::move(round));
        cell.status = CellStatus::Ok;
    } catch (...) {
        settle(cell, where, plan, device.get());
    }
}

} // namespace halfstep::measure
