#pragma once
#include "engine/data/dataset.h"
#include <QObject>
#include <QString>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace halfstep::ui {

/// Opens sets of photographs on a thread of its own. The latest request wins: an older one is stopped, and nothing is
/// heard of it any more. For each open() exactly one of opened, failed and cancelled follows, or the next started.
class DatasetOpener : public QObject {
    Q_OBJECT

public:
    /// data::openDataset, or a test's own.
    using OpenFunction = std::function<std::shared_ptr<const data::Dataset>(
        const std::string& source, const data::OpenOptions& options, const data::ProgressSink& progress,
        std::stop_token stop)>;

    explicit DatasetOpener(std::filesystem::path cacheFolder, QObject* parent = nullptr,
                           OpenFunction open = data::openDataset);
    /// Stops what is being opened and waits for it.
    ~DatasetOpener() override;

    /// `source` is "sample", a folder or a .tgz; `imageSize` is the side in pixels.
    void open(const QString& source, int imageSize);
    void cancel();

    bool isBusy() const { return m_busy; }
    /// The set that was opened last; null before the first. Stays while another is being opened.
    const std::shared_ptr<const data::Dataset>& dataset() const { return m_dataset; }

signals:
    void started(const QString& source, int imageSize);
    /// `total` is 0 while it is not known. At most one is under way at a time, so the GUI thread is not flooded.
    void progress(const QString& activity, qint64 done, qint64 total);
    void opened(const std::shared_ptr<const halfstep::data::Dataset>& dataset);
    void failed(const QString& source, const QString& message);
    void cancelled();

private:
    struct Request {
        std::uint64_t number = 0;
        std::string source;
        int imageSize = 0;
        std::stop_token stop;
    };
    struct Outcome {
        std::uint64_t number = 0;
        std::string source;
        std::shared_ptr<const data::Dataset> dataset;
        std::optional<std::string> message; ///< why it failed; empty with no dataset: it was stopped
    };

    void work(std::stop_token stop);
    Outcome serve(const Request& request);
    void noteProgress(std::uint64_t number, const values::DataProgress& latest);
    void deliverProgress();
    void deliver(const Outcome& outcome);

    const std::filesystem::path m_cacheFolder;
    const OpenFunction m_open;

    // GUI thread only.
    std::uint64_t m_newest = 0;
    bool m_busy = false;
    std::shared_ptr<const data::Dataset> m_dataset;

    // Shared with the worker.
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Request> m_pending;
    std::optional<values::DataProgress> m_latestProgress; ///< not yet delivered
    std::uint64_t m_progressNumber = 0;
    std::stop_source m_requestStop;

    std::jthread m_worker; ///< last, so that it starts after and ends before everything it uses
};

} // namespace halfstep::ui
