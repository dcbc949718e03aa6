#include "ui/bridge/memory_forecaster.h"
#include "engine/backend/backend.h"
#include "engine/tensor/error.h"
#include "engine/train/conduct_run.h"
#include "engine/train/memory_plan.h"
#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace halfstep::ui {

namespace {

constexpr int kPauseMilliseconds = 120; ///< long enough to type a number

/// Every way it can end, as a value.
MemoryForecast endingOf(const std::function<MemoryForecast()>& forecast) {
    MemoryForecast found;
    try {
        return forecast();
    } catch (const std::bad_alloc&) {
        found.trouble = MemoryForecaster::tr("The memory of this machine is used up.");
    } catch (const std::exception& error) {
        found.trouble = QString::fromUtf8(error.what());
    }
    return found;
}

} // namespace

MemoryForecast forecastMemory(const MemoryForecaster::Request& request, const train::Places& places) {
    const std::shared_ptr<backend::Backend> device = train::makeDevice(request.config, places);
    train::TrainingPlan plan = request.counts ? train::planOf(request.config, *request.counts)
                                              : train::planOf(request.config, values::SetCounts{}.classes);
    MemoryForecast found;
    if (request.largest) {
        const std::int64_t pictures = request.counts ? request.counts->train : 0;
        plan.network.batchCapacity = pictures > 0 ? std::min(pictures, train::kMostBatch) : train::kMostBatch;
        found.freeBytes = device->freeBytes();
        found.largestBatch = train::largestBatch(plan, *device, found.freeBytes);
        return found;
    }
    const auto shortage = train::shortageOf(plan, *device);
    if (!shortage || shortage->wantedBytes) {
        found.predicted = train::predictMemory(plan, *device);
    }
    found.freeBytes = shortage ? shortage->freeBytes : device->freeBytes();
    if (shortage) {
        found.largestBatch = shortage->largestBatch;
    }
    return found;
}

MemoryForecaster::MemoryForecaster(train::Places places, QObject* parent, ForecastFunction forecast)
    : QObject(parent),
      m_places(std::move(places)),
      m_forecast(forecast ? std::move(forecast) : ForecastFunction(forecastMemory)),
      m_worker([this](const std::stop_token& stop) { work(stop); }) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMilliseconds);
    connect(&m_pause, &QTimer::timeout, this, [this] { post(m_next); });
}

MemoryForecaster::~MemoryForecaster() {
    m_worker = {}; // stops and joins; what it has posted goes with this object
}

void MemoryForecaster::request(const values::ExperimentConfig& config, const std::optional<values::SetCounts>& counts,
                               bool anew) {
    const Request wanted{.config = config, .counts = counts};
    if (m_last == wanted && !anew) {
        return;
    }
    m_last = m_next = wanted;
    m_newestForecast = ++m_numbers; // nothing is heard of an older one, also not while it waits
    m_pause.start();
}

void MemoryForecaster::findLargestBatch(const values::ExperimentConfig& config,
                                        const std::optional<values::SetCounts>& counts) {
    post({.config = config, .counts = counts, .largest = true});
}

void MemoryForecaster::cancel() {
    m_pause.stop();
    m_last.reset();
    m_newestForecast = m_newestLargest = ++m_numbers;
}

void MemoryForecaster::post(const Request& request) {
    const Numbered numbered{++m_numbers, request};
    (request.largest ? m_newestLargest : m_newestForecast) = numbered.number;
    {
        const std::lock_guard lock(m_mutex);
        (request.largest ? m_pendingLargest : m_pendingForecast) = numbered;
    }
    m_wake.notify_one();
}

void MemoryForecaster::work(const std::stop_token& stop) {
    for (;;) {
        std::optional<Numbered> asked;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_pendingForecast || m_pendingLargest; })) {
                return;
            }
            asked = std::exchange(m_pendingForecast ? m_pendingForecast : m_pendingLargest, std::nullopt);
        }
        const MemoryForecast found = endingOf([&] { return m_forecast(asked->request, m_places); });
        QMetaObject::invokeMethod(
            this, [this, asked = *asked, found] { deliver(asked, found); }, Qt::QueuedConnection);
    }
}

void MemoryForecaster::deliver(const Numbered& asked, const MemoryForecast& found) {
    if (asked.number != (asked.request.largest ? m_newestLargest : m_newestForecast)) {
        return;
    }
    if (asked.request.largest) {
        emit largestBatchFound(found);
    } else {
        emit forecast(found);
    }
}

} // namespace halfstep::ui
