#pragma once
#include "engine/values/sweep.h"
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace halfstep::store {

/// The sweeps of the run history, in the same file as the runs (RunStore). Every round of a cell is committed when it
/// arrives, so that a sweep whose process dies goes on from there. One store per thread; several processes may use
/// one file.
///
/// All members throw StoreError with the file's name if it cannot be read or written.
class SweepStore {
public:
    explicit SweepStore(const std::filesystem::path& file);
    ~SweepStore();
    SweepStore(SweepStore&&) noexcept;
    SweepStore& operator=(SweepStore&&) noexcept;

    /// Enters a sweep with its cells as running and owned by this process; returns its id (1, 2, ...; never used
    /// again). Rounds of the cells are not written.
    std::int64_t begin(const values::Sweep& sweep);
    /// Goes on with a sweep that has ended: it is running again and owned by this process, with `config` for its
    /// settings (more rounds). Throws StoreError if there is no such sweep or it is still running.
    void reopen(std::int64_t sweep, const values::SweepConfig& config);
    /// What is known of a cell, without its rounds; in place of what was.
    void setCell(std::int64_t sweep, std::size_t cell, const values::SweepCell& state);
    /// In place of the cell's record of the same round, if there is one.
    void addRound(std::int64_t sweep, std::size_t cell, const values::CellRound& round);
    /// Takes a cell's rounds out of the history, to be measured anew.
    void forgetRounds(std::int64_t sweep, std::size_t cell);
    void finish(std::int64_t sweep, values::RunStatus status, const std::string& message);

    /// Newest first. One whose process has died is Interrupted.
    std::vector<values::Sweep> sweeps() const;
    std::optional<values::Sweep> sweep(std::int64_t id) const;
    /// False if there is no such sweep. Throws StoreError if it is still running.
    bool remove(std::int64_t sweep);

private:
    struct Database;
    std::unique_ptr<Database> m_database;
};

} // namespace halfstep::store
