#pragma once
#include "engine/store/sweep_store.h"
#include "ui/bridge/measured_sweep.h"
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::ui {

/// What a list of sweeps shows of one.
struct SweepEntry {
    std::int64_t id = 0;
    values::RunStatus status = values::RunStatus::Finished;
    std::string startedAt{}; ///< UTC, ISO 8601
    std::size_t cells = 0;
    bool operator==(const SweepEntry&) const = default;
};

/// The sweeps of the run history, read on a thread of its own: another process may hold the file for seconds, and
/// what measurements say takes its time. Requests are served in order; each is answered by its signal or by failed().
class SweepHistory : public QObject {
    Q_OBJECT

public:
    explicit SweepHistory(std::filesystem::path historyFile, QObject* parent = nullptr);
    /// Waits until everything asked for is done: an export is not lost.
    ~SweepHistory() override;

    void readSweeps();
    void readSweep(std::int64_t sweep);
    /// Writes what `text` makes of the sweep; the file appears whole or not at all.
    void write(const MeasuredSweepPtr& sweep, const std::function<std::string(const values::Sweep&)>& text,
               const QString& file);

signals:
    /// Newest first.
    void sweepsRead(const std::vector<halfstep::ui::SweepEntry>& sweeps);
    /// Null if it is not there any more.
    void sweepRead(std::int64_t id, const halfstep::ui::MeasuredSweepPtr& sweep);
    void written(const QString& file);
    void failed(const QString& sentence);

private:
    /// Runs `work()` on the thread; what it returns is run on the GUI thread.
    template <typename Work>
    void serve(Work work);
    store::SweepStore& store();

    const std::filesystem::path m_historyFile;
    std::optional<store::SweepStore> m_store; ///< the thread's alone, once opened
    QThreadPool m_pool;                       ///< of one thread; last, so that it ends before the store
};

} // namespace halfstep::ui
