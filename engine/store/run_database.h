#pragma once
#include "engine/store/run_store.h"
#include "engine/store/schema.h"
#include "engine/store/sqlite.h"
#include <optional>
#include <vector>

namespace halfstep::store {

/// The open file behind a RunStore and what reads and writes its tables. Inside the store only.
struct RunStore::Database {
    explicit Database(const std::filesystem::path& file) : connection(file) { prepareSchema(connection); }

    StoredRun runFrom(const Statement& row);
    void countFromRecords(StoredRun& run);
    void closeRunsOfDeadProcesses();
    std::vector<values::StepRecord> steps(std::int64_t run);
    std::vector<values::EpochRecord> epochs(std::int64_t run);
    void insertNumerics(std::int64_t run, const values::NumericsRecord& record);

    Connection connection;
    std::optional<Statement> insertStep{}; ///< prepared at the first record, then used for each
    std::optional<Statement> insertEpoch{};
};

} // namespace halfstep::store
