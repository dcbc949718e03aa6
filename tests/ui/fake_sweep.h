#pragma once
#include "engine/store/sweep_store.h"
#include "ui/bridge/sweep_session.h"
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

namespace halfstep::tests {

/// What a fake sweep does: a step takes 4 ms an image in float32, 3 in the others, and nothing is measured.
struct FakeSweepPlan {
    std::chrono::milliseconds step{0};
    bool endless = false;                       ///< each round goes on until it is stopped
    std::optional<int> oomFrom{};               ///< batch sizes from here on do not fit
    std::optional<values::CellKey> disturbed{}; ///< this cell's rounds lie far apart
    std::exception_ptr thrown{};                ///< instead of a sweep
    std::filesystem::path historyFile{};        ///< where it is kept; nowhere if empty
};

inline double fakeStepMilliseconds(const values::CellKey& key) {
    return key.batchSize * (key.policy == precision::Policy::Float32 ? 4.0 : 3.0);
}

/// The rounds 1 to `rounds` of a cell of a fake sweep.
inline values::CellRound fakeRound(const values::SweepConfig& config, const values::CellKey& key, int round,
                                   bool disturbed) {
    const double step = fakeStepMilliseconds(key) * (disturbed && round > 1 ? 1.5 : 1);
    values::CellRound made{.round = round, .position = 1, .startedAt = "2026-12-03T05:12:00Z"};
    made.warmupMilliseconds.assign(static_cast<std::size_t>(config.warmup), 2 * step);
    for (int i = 0; i < config.steps; ++i) {
        made.stepMilliseconds.push_back(step * (1 + 0.01 * (i % 3 - 1)));
        made.waitMilliseconds.push_back(0.25);
    }
    made.loss = 2;
    made.peakBytes = static_cast<std::uint64_t>(key.batchSize) * 10'000'000;
    return made;
}

/// Its cells before the first round.
inline values::Sweep fakeSweepOf(const values::SweepConfig& config, const FakeSweepPlan& plan) {
    values::Sweep sweep;
    sweep.id = 4;
    sweep.config = config;
    sweep.dataName = "drawn sample";
    sweep.startedAt = "2026-12-03T05:12:00Z";
    sweep.environment.device = "cpu";
    sweep.environment.isa = "avx2";
    sweep.environment.threads = 2;
    for (const values::CellKey& key : values::cellsOf(config)) {
        values::SweepCell cell{.key = key, .deviceText = "CPU AVX2, 2 threads", .isa = "avx2"};
        cell.predicted = values::PredictedMemory{.peak = static_cast<std::uint64_t>(key.batchSize) * 10'000'000};
        if (plan.oomFrom && key.batchSize >= *plan.oomFrom) {
            cell.status = values::CellStatus::Oom;
            cell.message = "Out of memory: it does not fit.";
            cell.freeBytes = 400'000'000;
            cell.largestBatch = 40;
        }
        sweep.cells.push_back(cell);
    }
    return sweep;
}

/// A sweep without an engine: events, an ending, a pause between cells and a stop that are like a real one's.
inline ui::SweepSession::SweepFunction fakeSweep(const FakeSweepPlan& plan = {}) {
    return [plan](const ui::SweepSession::Task& task, const train::Places&, const values::SweepSink& report,
                  const train::RunControl& control) {
        if (plan.thrown) {
            std::rethrow_exception(plan.thrown);
        }
        std::optional<store::SweepStore> store;
        if (!plan.historyFile.empty()) {
            store.emplace(plan.historyFile);
        }
        values::Sweep sweep;
        if (const auto* config = std::get_if<values::SweepConfig>(&task)) {
            sweep = fakeSweepOf(*config, plan);
            if (store) {
                sweep.id = store->begin(sweep);
            }
        } else {
            const auto& continuation = std::get<measure::SweepContinuation>(task);
            sweep = *store->sweep(continuation.sweep);
            sweep.config.repeats += continuation.moreRounds;
            store->reopen(sweep.id, sweep.config);
            for (const std::size_t cell : continuation.anew) {
                sweep.cells[cell].rounds.clear();
                store->forgetRounds(sweep.id, cell);
            }
        }
        sweep.status = values::RunStatus::Running;
        report(values::DataProgress{"Preparing the cells", 1, 2});
        report(values::SweepPlan{sweep, 1});
        const auto stopped = [&] { return control.stop.stop_requested(); };
        for (int round = 1; (plan.endless || round <= sweep.config.repeats) && !stopped(); ++round) {
            for (std::size_t i = 0; i < sweep.cells.size() && !stopped(); ++i) {
                values::SweepCell& cell = sweep.cells[i];
                if (cell.status == values::CellStatus::Oom || cell.rounds.size() >= static_cast<std::size_t>(round)) {
                    continue;
                }
                control.pause->waitWhilePaused(control.stop);
                const int steps = sweep.config.warmup + sweep.config.steps;
                for (int step = 1; step <= steps && !stopped(); ++step) {
                    std::this_thread::sleep_for(plan.step);
                    report(values::SweepStep{i, round, step, steps, step <= sweep.config.warmup, 1, 0});
                }
                if (stopped()) {
                    break;
                }
                cell.rounds.push_back(
                    fakeRound(sweep.config, cell.key, round, plan.disturbed && cell.key == *plan.disturbed));
                cell.status = values::CellStatus::Ok;
                if (store) {
                    store->addRound(sweep.id, i, cell.rounds.back());
                    store->setCell(sweep.id, i, cell);
                }
                report(values::SweepCellChanged{i, cell, 1});
            }
        }
        sweep.status = stopped() ? values::RunStatus::Stopped : values::RunStatus::Finished;
        if (store) {
            store->finish(sweep.id, sweep.status, {});
        }
        return sweep;
    };
}

} // namespace halfstep::tests
