#pragma once
#include "engine/data/dataset.h"
#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace halfstep::ui {

using DatasetPointer = std::shared_ptr<const data::Dataset>;

/// Opens data sets off the GUI thread. One at a time: open() gives up the one before it. For each open() that is not
/// given up, exactly one of opened() and failed() follows, on the GUI thread.
class DatasetOpener : public QObject {
    Q_OBJECT

public:
    /// As data::openDataset; tests pass their own.
    using OpenFunction = std::function<DatasetPointer(const std::string& source, const data::OpenOptions& options,
                                                      const data::ProgressSink& progress, std::stop_token stop)>;

    explicit DatasetOpener(std::filesystem::path cacheFolder, QObject* parent = nullptr);
    DatasetOpener(std::filesystem::path cacheFolder, OpenFunction open, QObject* parent = nullptr);
    /// Asks what is running to stop and waits for it.
    ~DatasetOpener() override;

    void open(const QString& source, int imageSize);
    void cancel();
    bool busy() const { return m_busy; }

signals:
    /// At most ten times a second.
    void progressed(const halfstep::values::DataProgress& progress);
    void opened(const halfstep::ui::DatasetPointer& dataset);
    void failed(const QString& sentence);

private:
    struct Mailbox;
    void drain();

    std::filesystem::path m_cacheFolder;
    OpenFunction m_open;
    std::shared_ptr<Mailbox> m_mailbox;
    QTimer m_timer;
    bool m_busy = false;
    std::jthread m_thread;
};

} // namespace halfstep::ui
