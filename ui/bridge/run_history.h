#pragma once
#include "engine/store/run_store.h"
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <filesystem>
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
    void remove(const std::vector<std::int64_t>& runs);
    /// The steps of all `runs` as one steps CSV.
    void exportSteps(const std::vector<std::int64_t>& runs, const QString& file);

signals:
    /// Newest first.
    void runsRead(const std::vector<halfstep::store::StoredRun>& runs);
    void recordsRead(const std::shared_ptr<const halfstep::ui::RunRecords>& records);
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

    const std::filesystem::path m_historyFile;
    std::optional<store::RunStore> m_store; ///< the thread's alone, once opened
    QThreadPool m_pool;                     ///< of one thread; last, so that it ends before the store
};

} // namespace halfstep::ui
