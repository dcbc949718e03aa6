#include "ui/bridge/dataset_opener.h"
#include "engine/tensor/error.h"
#include <QMetaObject>
#include <utility>

namespace halfstep::ui {

DatasetOpener::DatasetOpener(std::filesystem::path cacheFolder, QObject* parent, OpenFunction open)
    : QObject(parent),
      m_cacheFolder(std::move(cacheFolder)),
      m_open(std::move(open)),
      m_worker([this](std::stop_token stop) { work(std::move(stop)); }) {}

DatasetOpener::~DatasetOpener() {
    m_requestStop.request_stop();
    m_worker.request_stop();
    m_worker.join();
}

void DatasetOpener::open(const QString& source, int imageSize) {
    m_requestStop.request_stop();
    m_requestStop = std::stop_source{};
    m_busy = true;
    {
        const std::lock_guard lock(m_mutex);
        m_pending = Request{++m_newest, source.toStdString(), imageSize, m_requestStop.get_token()};
    }
    m_wake.notify_one();
    emit started(source, imageSize);
}

void DatasetOpener::cancel() {
    if (!m_busy) {
        return;
    }
    m_requestStop.request_stop();
    ++m_newest; // what still comes is stale
    m_busy = false;
    emit cancelled();
}

void DatasetOpener::work(std::stop_token stop) {
    while (true) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_pending.has_value(); })) {
                return;
            }
            request = *std::exchange(m_pending, std::nullopt);
        }
        if (request.stop.stop_requested()) {
            continue;
        }
        const Outcome outcome = serve(request);
        QMetaObject::invokeMethod(
            this, [this, outcome] { deliver(outcome); }, Qt::QueuedConnection);
    }
}

DatasetOpener::Outcome DatasetOpener::serve(const Request& request) {
    Outcome outcome{request.number, request.source, nullptr, std::nullopt};
    try {
        const data::OpenOptions options{.imageSize = request.imageSize, .cacheFolder = m_cacheFolder, .threads = 0};
        outcome.dataset = m_open(
            request.source, options,
            [this, number = request.number](const values::DataProgress& latest) { noteProgress(number, latest); },
            request.stop);
    } catch (const Cancelled&) {
    } catch (const std::exception& error) {
        outcome.message = error.what();
    }
    return outcome;
}

void DatasetOpener::noteProgress(std::uint64_t number, const values::DataProgress& latest) {
    const std::lock_guard lock(m_mutex);
    const bool underWay = m_latestProgress.has_value();
    m_latestProgress = latest;
    m_progressNumber = number;
    if (!underWay) {
        QMetaObject::invokeMethod(
            this, [this] { deliverProgress(); }, Qt::QueuedConnection);
    }
}

void DatasetOpener::deliverProgress() {
    values::DataProgress latest;
    {
        const std::lock_guard lock(m_mutex);
        latest = *std::exchange(m_latestProgress, std::nullopt);
        if (m_progressNumber != m_newest) {
            return;
        }
    }
    emit progress(QString::fromStdString(latest.activity), latest.done, latest.total);
}

void DatasetOpener::deliver(const Outcome& outcome) {
    if (outcome.number != m_newest) {
        return;
    }
    m_busy = false;
    if (outcome.dataset) {
        m_dataset = outcome.dataset;
        emit opened(m_dataset);
    } else if (outcome.message) {
        emit failed(QString::fromStdString(outcome.source), QString::fromStdString(*outcome.message));
    } else {
        emit cancelled();
    }
}

} // namespace halfstep::ui
