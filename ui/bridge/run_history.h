#pragma once
#include "engine/report/html_report.h"
#include "engine/store/run_store.h"
#include "engine/store/sweep_store.h"
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace halfstep::ui {

/// A run with everything that was recorded of it.
struct RunRecords {
    store::StoredRun run;
    std::vector<values::StepRecord> steps;
    std::vector<values::EpochRecord> epochs;
};

/// The run history, read and written on a thread of its own: another process may hold the file for seconds, and the
/// window must not wait for that. Requests are served in order; each is answered by its signal or by failed().
class RunHistory : public QObject {
    Q_OBJECT

public:
    explicit RunHistory(std::filesystem::path historyFile, QObject* parent = nullptr);
    /// Waits until everything asked for is done: a removal is not lost.
    ~RunHistory() override;

    void readRuns();
    void readRecords(std::int64_t run);
    /// The steps of a run whose numbers were recorded.
    void readNumericsSteps(std::int64_t run);
    void readNumerics(std::int64_t run, std::int64_t step);
    /// With the checkpoints that the window kept for them (bridge/kept_checkpoints.h).
    void remove(const std::vector<std::int64_t>& runs);
    void readSweeps();
    void removeSweeps(const std::vector<std::int64_t>& sweeps);
    /// The steps of all `runs` as one steps CSV.
    void exportSteps(const std::vector<std::int64_t>& runs, const QString& file);
    /// A run by the file's ending: with its epochs and steps as JSON, its tables as Markdown (.md) or LaTeX (.tex);
    /// else its steps as CSV.
    void exportRun(std::int64_t run, const QString& file);
    /// What `text` makes of a sweep.
    void exportSweep(std::int64_t sweep, const std::function<std::string(const values::Sweep&)>& text,
                     const QString& file);
    /// Everything that a report of them, to be written to `file`, is made of.
    void readContent(const std::vector<std::int64_t>& runs, const std::vector<std::int64_t>& sweeps,
                     const QString& file);
    /// The file appears whole or not at all.
    void write(const std::string& text, const QString& file);

signals:
    /// Newest first.
    void runsRead(const std::vector<halfstep::store::StoredRun>& runs);
    void recordsRead(const std::shared_ptr<const halfstep::ui::RunRecords>& records);
    /// Newest first, with all rounds of their cells.
    void sweepsRead(const std::vector<halfstep::values::Sweep>& sweeps);
    void contentRead(const std::shared_ptr<const halfstep::report::ReportContent>& content, const QString& file);
    void numericsStepsRead(std::int64_t run, const std::vector<std::int64_t>& steps);
    /// Null if there is no such record.
    void numericsRead(std::int64_t run, const std::shared_ptr<const halfstep::values::NumericsRecord>& record);
    void removed();
    void exported(const QString& file);
    void failed(const QString& sentence);

private:
    /// Runs `work(store)` on the thread; what it returns is run on the GUI thread.
    template <typename Work>
    void serve(Work work);
    /// On the thread only.
    store::SweepStore& sweepStore();
    /// Likewise; throws StoreError if it is not there.
    values::Sweep storedSweep(std::int64_t id);

    const std::filesystem::path m_historyFile;
    std::optional<store::RunStore> m_store;    ///< the thread's alone, once opened
    std::optional<store::SweepStore> m_sweeps; ///< likewise
    QThreadPool m_pool;                        ///< of one thread; last, so that it ends before the stores
};

} // namespace halfstep::ui
