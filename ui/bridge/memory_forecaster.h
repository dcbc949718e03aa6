#pragma once
#include "engine/train/experiment.h"
#include "engine/values/memory.h"
#include <QObject>
#include <QTimer>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace halfstep::ui {

/// What an experiment will take of its device's memory.
struct MemoryForecast {
    std::optional<values::PredictedMemory> predicted{}; ///< empty if that is more than can be counted
    std::uint64_t freeBytes = 0; ///< now: of the machine, a container's limit, the experiment's own limit
    /// Of an experiment that does not fit: one that does, 0 if none does. Asked for by findLargestBatch(): always.
    std::optional<std::int64_t> largestBatch{};
    QString trouble{}; ///< why nothing can be said, such as a device that cannot be had; then all else is empty

    bool fits() const { return predicted && predicted->peak <= freeBytes; }
};

/// Finds out what experiments will take, on a thread of its own, as a run would be asked before its start. The latest
/// request of either kind wins: nothing is heard of an older one.
class MemoryForecaster : public QObject {
    Q_OBJECT

public:
    struct Request {
        values::ExperimentConfig config{};
        std::optional<values::SetCounts> counts{}; ///< empty while the set is not known: whole batches, ten classes
        bool largest = false; ///< look for the largest batch that fits, at most the train pictures if they are known
        bool operator==(const Request&) const = default;
    };
    /// forecastMemory, or a test's own; may throw.
    using ForecastFunction = std::function<MemoryForecast(const Request& request, const train::Places& places)>;

    explicit MemoryForecaster(train::Places places, QObject* parent = nullptr, ForecastFunction forecast = {});
    /// Waits for the forecast that is being made.
    ~MemoryForecaster() override;

    /// Asks for forecast() of the experiment as soon as requests pause for a moment; the same as the last one is not
    /// asked for again unless `anew`.
    void request(const values::ExperimentConfig& config, const std::optional<values::SetCounts>& counts,
                 bool anew = false);
    /// Asks for largestBatchFound() at once.
    void findLargestBatch(const values::ExperimentConfig& config, const std::optional<values::SetCounts>& counts);
    /// Nothing is heard of it any more.
    void forgetLargestBatch() { m_newestLargest = ++m_numbers; }
    /// Nothing is heard of any request.
    void cancel();

signals:
    void forecast(const halfstep::ui::MemoryForecast& forecast);
    void largestBatchFound(const halfstep::ui::MemoryForecast& forecast);

private:
    struct Numbered {
        std::uint64_t number = 0;
        Request request{};
    };
    void post(const Request& request);
    void work(const std::stop_token& stop);
    void deliver(const Numbered& asked, const MemoryForecast& found);

    const train::Places m_places;
    const ForecastFunction m_forecast;

    // GUI thread only.
    QTimer m_pause; ///< runs until requests have paused
    Request m_next; ///< when it ends
    std::optional<Request> m_last;
    std::uint64_t m_newestForecast = 0, m_newestLargest = 0, m_numbers = 0;

    // Shared with the worker.
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Numbered> m_pendingForecast, m_pendingLargest;

    std::jthread m_worker; ///< last, so that it starts after and ends before everything it uses
};

/// Makes the steps on the device's rehearsal (train/memory_plan.h). Takes some 10 ms; with `largest` some 20 times
/// that.
MemoryForecast forecastMemory(const MemoryForecaster::Request& request, const train::Places& places);

} // namespace halfstep::ui
