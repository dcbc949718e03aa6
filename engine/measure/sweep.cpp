#include "engine/measure/sweep.h"
#include "engine/backend/backend.h"
#include "engine/backend/machine.h"
#include "engine/data/data_loader.h"
#include "engine/measure/machine_load.h"
#include "engine/store/sweep_store.h"
#include "engine/store/utc_time.h"
#include "engine/tensor/error.h"
#include "engine/train/conduct_run.h"
#include "engine/train/environment.h"
#include <algorithm>
#include <fmt/format.h>

namespace halfstep::measure {
namespace {
using values::CellStatus;
using values::RunStatus;

/// Of a set without pictures of its own: the article's ten.
constexpr std::int64_t kSyntheticClasses = 10;

/// One sweep from what is known of it to its end.
class Conductor {
public:
    Conductor(const train::Places& places, const values::SweepSink& report, const train::RunControl& control,
              DeviceMaker makeDevice)
        : m_places(places),
          m_report(report),
          m_control(control),
          m_makeDevice(std::move(makeDevice)),
          m_store(places.historyFile) {
        if (!m_makeDevice) {
            m_makeDevice = [this](const values::ExperimentConfig& config) {
                return train::makeDevice(config, m_places);
            };
        }
    }

    values::Sweep begin(const values::SweepConfig& config) {
        if (const auto problems = problemsOf(config); !problems.empty()) {
            throw ConfigError(problems.front().field, problems.front().sentence);
        }
        m_sweep.config = config;
        openPictures();
        m_sweep.startedAt = store::utcNow();
        m_sweep.governor = clockGovernor();
        prepareCells();
        reportComputing();
        m_sweep.id = m_store.begin(m_sweep);
        return conduct();
    }

    values::Sweep resume(const SweepContinuation& continuation) {
        const auto found = m_store.sweep(continuation.sweep);
        if (!found) {
            throw StoreError(
                fmt::format("There is no sweep {} in the history; `halfstep runs list` shows what there is.",
                            continuation.sweep));
        }
        m_sweep = *found;
        const std::string fingerprint = m_sweep.environment.dataFingerprint;
        m_sweep.config.repeats += continuation.moreRounds;
        openPictures();
        if (m_sweep.environment.dataFingerprint != fingerprint) {
            throw DataError(
                fmt::format("The pictures of \"{}\" are not those that sweep {} was begun with; start a new "
                            "sweep, or bring the old pictures back.",
                            m_sweep.config.base.data, m_sweep.id));
        }
        m_store.reopen(m_sweep.id, m_sweep.config);
        for (const std::size_t cell : continuation.anew) {
            if (cell < m_sweep.cells.size()) {
                values::SweepCell& again = m_sweep.cells[cell];
                if (canRun(again)) {
                    again.rounds.clear();
                } else { // one that did not fit, or failed, is tried again from the beginning
                    again = preparedCell(m_sweep.config, again.key, m_classes, m_makeDevice);
                }
                m_store.forgetRounds(m_sweep.id, cell);
                m_store.setCell(m_sweep.id, cell, again);
            }
        }
        return conduct();
    }

private:
    void openPictures() {
        if (m_sweep.config.input == values::SweepInput::Synthetic) {
            m_sweep.dataName = "synthetic images";
            return;
        }
        const values::EventSink sink = [this](const values::RunEvent& event) {
            if (const auto* progress = std::get_if<values::DataProgress>(&event)) {
                m_report(*progress);
            }
        };
        m_dataset = train::openPictures(m_sweep.config.base, m_places, sink, m_control);
        const data::DatasetInfo& info = m_dataset->info();
        m_classes = static_cast<std::int64_t>(info.classes.size());
        m_sweep.dataName = info.displayName;
        m_sweep.environment.dataFingerprint = info.fingerprint;
        const auto pictures = m_dataset->photographs(data::Split::Train).size() +
                              m_dataset->photographs(data::Split::Validation).size();
        const auto side = static_cast<std::uint64_t>(info.imageSize);
        m_sweep.dataCacheBytes = pictures * side * side * 3;
    }

    void prepareCells() {
        const std::vector<values::CellKey> keys = cellsOf(m_sweep.config);
        bool described = false;
        for (const values::CellKey& key : keys) {
            requireGoingOn();
            m_report(values::DataProgress{"Preparing the cells", static_cast<std::int64_t>(m_sweep.cells.size()),
                                          static_cast<std::int64_t>(keys.size())});
            m_sweep.cells.push_back(preparedCell(m_sweep.config, key, m_classes, m_makeDevice));
            if (!described && !m_sweep.cells.back().isa.empty()) {
                const auto device = m_makeDevice(experimentOf(m_sweep.config, key));
                m_sweep.environment =
                    train::gatherEnvironment(*device, key.device, m_sweep.environment.dataFingerprint);
                described = true;
            }
        }
    }

    /// Before the first step: where 16 bits will not make the arithmetic faster.
    void reportComputing() const {
        std::vector<std::string> told;
        for (const values::SweepCell& cell : m_sweep.cells) {
            const std::string stored(tensor::nameOf(precision::traitsOf(cell.key.policy).computeDType));
            if (!canRun(cell) || cell.computedIn.empty() || cell.computedIn == stored) {
                continue;
            }
            const std::string sentence = train::computingSentence(cell.deviceText, stored, cell.computedIn);
            if (std::ranges::find(told, sentence) == told.end()) {
                told.push_back(sentence);
                m_report(values::Notice{values::Severity::Warning, sentence});
            }
        }
    }

    void requireGoingOn() const {
        if (m_control.stop.stop_requested()) {
            throw Cancelled();
        }
    }

    static bool canRun(const values::SweepCell& cell) {
        return cell.status == CellStatus::Ok || cell.status == CellStatus::NotRun;
    }

    static bool hasRound(const values::SweepCell& cell, int round) {
        return std::ranges::find(cell.rounds, round, &values::CellRound::round) != cell.rounds.end();
    }

    std::int64_t cellRoundsLeft() const {
        std::int64_t left = 0;
        for (const values::SweepCell& cell : m_sweep.cells) {
            for (int round = 1; canRun(cell) && round <= m_sweep.config.repeats; ++round) {
                left += hasRound(cell, round) ? 0 : 1;
            }
        }
        return left;
    }

    values::Sweep conduct() {
        m_sweep.status = RunStatus::Running;
        m_report(values::SweepPlan{m_sweep, cellRoundsLeft()});
        try {
            for (int round = 1; round <= m_sweep.config.repeats; ++round) {
                measureRoundOfAll(round);
            }
            end(RunStatus::Finished, whatNothingRan());
        } catch (const Cancelled&) {
            end(RunStatus::Stopped, {});
        } catch (const std::exception& error) {
            end(RunStatus::Failed, error.what());
            throw;
        }
        return m_sweep;
    }

    void measureRoundOfAll(int round) {
        const auto order =
            data::shuffledOrder(static_cast<std::int64_t>(m_sweep.cells.size()), m_sweep.config.orderSeed, round);
        int position = 0;
        for (const std::int64_t index : order) {
            ++position;
            values::SweepCell& cell = m_sweep.cells[static_cast<std::size_t>(index)];
            if (!canRun(cell) || hasRound(cell, round)) {
                continue;
            }
            if (m_control.pause != nullptr) {
                m_control.pause->waitWhilePaused(m_control.stop);
            }
            requireGoingOn();
            measureCell(static_cast<std::size_t>(index), round, position);
        }
    }

    void measureCell(std::size_t index, int round, int position) {
        values::SweepCell& cell = m_sweep.cells[index];
        const std::size_t before = cell.rounds.size();
        const RoundTask task{.config = m_sweep.config,
                             .dataset = m_dataset,
                             .classes = m_classes,
                             .makeDevice = m_makeDevice,
                             .report = [this](const values::SweepStep& step) { m_report(step); }};
        measureRound(cell, index, {.round = round, .position = position}, task, m_control.stop);
        if (cell.rounds.size() > before) {
            m_store.addRound(m_sweep.id, index, cell.rounds.back());
        }
        m_store.setCell(m_sweep.id, index, cell);
        m_report(values::SweepCellChanged{index, cell, cellRoundsLeft()});
    }

    /// A sentence, if no cell has anything to show.
    std::string whatNothingRan() const {
        const auto ran = [](const values::SweepCell& cell) { return !cell.rounds.empty(); };
        if (m_sweep.cells.empty() || std::ranges::any_of(m_sweep.cells, ran)) {
            return {};
        }
        return fmt::format("None of the {} cells could run; the first says: {}", m_sweep.cells.size(),
                           m_sweep.cells.front().message);
    }

    void end(RunStatus status, const std::string& message) {
        m_sweep.status = status;
        m_sweep.message = message;
        m_sweep.endedAt = store::utcNow();
        m_store.finish(m_sweep.id, status, message);
    }

    const train::Places& m_places;
    const values::SweepSink& m_report;
    const train::RunControl& m_control;
    DeviceMaker m_makeDevice;
    store::SweepStore m_store;
    values::Sweep m_sweep;
    std::shared_ptr<const data::Dataset> m_dataset;
    std::int64_t m_classes = kSyntheticClasses;
};

} // namespace

values::Sweep runSweep(const values::SweepConfig& config, const train::Places& places,
                       const values::SweepSink& report, const train::RunControl& control, DeviceMaker makeDevice) {
    return Conductor(places, report, control, std::move(makeDevice)).begin(config);
}

values::Sweep resumeSweep(const SweepContinuation& continuation, const train::Places& places,
                          const values::SweepSink& report, const train::RunControl& control, DeviceMaker makeDevice) {
    return Conductor(places, report, control, std::move(makeDevice)).resume(continuation);
}

} // namespace halfstep::measure
