#include "engine/analysis/statistics.h"
#include "engine/store/process_identity.h"
#include "engine/store/run_database.h"
#include "engine/store/schema.h"
#include "engine/store/utc_time.h"
#include "engine/tensor/error.h"
#include "engine/values/json.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace halfstep::store {
namespace {
using values::EpochRecord;
using values::RunStatus;
using values::StepRecord;

/// One row that cannot be read must not hide the others: it keeps the defaults and says so.
void readSettings(StoredRun& run, const std::string& config, const std::string& environment) {
    try {
        run.config = values::experimentConfigFrom(nlohmann::ordered_json::parse(config, nullptr, false));
        run.environment = values::environmentFrom(nlohmann::ordered_json::parse(environment, nullptr, false));
    } catch (const ConfigError& error) {
        run.message = fmt::format("The settings of this run cannot be read: {}", error.what());
    }
}

constexpr std::string_view kSelectRuns =
    "SELECT r.id, r.status, r.owner, r.config, r.environment, r.data_name, r.started_at, r.ended_at, r.steps,"
    " r.skipped_steps, r.epochs, r.median_step_ms, r.peak_bytes, r.message, r.loss, r.accuracy,"
    " e.epoch, e.loss, e.accuracy, e.val_loss, e.val_accuracy, e.seconds"
    " FROM runs r LEFT JOIN epochs e"
    " ON e.run = r.id AND e.epoch = (SELECT max(epoch) FROM epochs WHERE run = r.id)";

EpochRecord epochFrom(const Statement& row, int column) {
    return {.epoch = static_cast<int>(row.integer(column)),
            .loss = row.real(column + 1),
            .accuracy = row.real(column + 2),
            .valLoss = row.optionalReal(column + 3),
            .valAccuracy = row.optionalReal(column + 4),
            .seconds = row.real(column + 5)};
}

} // namespace

/// Figures of a run that did not end (yet) are not in its row: they follow from its records.
void RunStore::Database::countFromRecords(StoredRun& run) {
    const std::vector<StepRecord> records = steps(run.id);
    run.stepsDone = static_cast<std::int64_t>(records.size());
    run.skippedSteps = std::ranges::count_if(records, &StepRecord::skipped);
    run.epochsDone = run.lastEpoch ? run.lastEpoch->epoch : 0;
    run.medianStepMilliseconds = analysis::medianStepMilliseconds(records, run.config.batchSize);
    if (const auto begun = analysis::meansOfEpochBegun(records, run.epochsDone)) {
        run.loss = begun->loss;
        run.accuracy = begun->accuracy;
    }
}

StoredRun RunStore::Database::runFrom(const Statement& row) {
    StoredRun run;
    run.id = row.integer(0);
    run.status = values::runStatusNamed(row.text(1)).value_or(RunStatus::Failed);
    run.dataName = row.text(5);
    run.startedAt = row.text(6);
    run.endedAt = row.text(7);
    run.stepsDone = row.integer(8);
    run.skippedSteps = row.integer(9);
    run.epochsDone = static_cast<int>(row.integer(10));
    run.medianStepMilliseconds = row.optionalReal(11);
    run.peakBytes = row.integer(12);
    run.message = row.text(13);
    run.loss = row.optionalReal(14);
    run.accuracy = row.optionalReal(15);
    if (!row.isNull(16)) {
        run.lastEpoch = epochFrom(row, 16);
    }
    readSettings(run, row.text(3), row.text(4));
    if (run.status == RunStatus::Running) {
        countFromRecords(run);
        if (!isAlive(row.text(2))) {
            run.status = RunStatus::Interrupted;
        }
    }
    return run;
}

std::vector<StepRecord> RunStore::Database::steps(std::int64_t run) {
    Statement statement(connection,
                        "SELECT step, epoch, batch_size, loss, accuracy, step_ms, data_wait_ms, loss_scale,"
                        " skipped, first_non_finite, lost_updates FROM steps WHERE run = ? ORDER BY step");
    statement.bind(1, run);
    std::vector<StepRecord> records;
    while (statement.next()) {
        records.push_back({.step = statement.integer(0),
                           .epoch = static_cast<int>(statement.integer(1)),
                           .batchSize = static_cast<int>(statement.integer(2)),
                           .loss = statement.real(3),
                           .accuracy = statement.real(4),
                           .stepMilliseconds = statement.real(5),
                           .dataWaitMilliseconds = statement.real(6),
                           .lossScale = statement.optionalReal(7),
                           .skipped = statement.integer(8) != 0,
                           .firstNonFinite = statement.text(9),
                           .lostUpdates = statement.optionalReal(10)});
    }
    return records;
}

std::vector<EpochRecord> RunStore::Database::epochs(std::int64_t run) {
    Statement statement(connection, "SELECT epoch, loss, accuracy, val_loss, val_accuracy, seconds FROM epochs"
                                    " WHERE run = ? ORDER BY epoch");
    statement.bind(1, run);
    std::vector<EpochRecord> records;
    while (statement.next()) {
        records.push_back(epochFrom(statement, 0));
    }
    return records;
}

/// Writes down what `runFrom` finds out anew each time, so that lists stay fast.
void RunStore::Database::closeRunsOfDeadProcesses() {
    if (connection.number("SELECT count(*) FROM runs WHERE status = 'running'") == 0) {
        return;
    }
    Transaction transaction(connection);
    std::vector<StoredRun> dead;
    Statement select(connection, std::string(kSelectRuns) + " WHERE r.status = 'running'");
    while (select.next()) {
        StoredRun run = runFrom(select);
        if (run.status == RunStatus::Interrupted) {
            dead.push_back(std::move(run));
        }
    }
    Statement update(connection,
                     "UPDATE runs SET status = 'interrupted', steps = ?2, skipped_steps = ?3, epochs = ?4,"
                     " median_step_ms = ?5, loss = ?6, accuracy = ?7 WHERE id = ?1");
    for (const StoredRun& run : dead) {
        update.bind(1, run.id).bind(2, run.stepsDone).bind(3, run.skippedSteps).bind(4, run.epochsDone);
        update.bind(5, run.medianStepMilliseconds).bind(6, run.loss).bind(7, run.accuracy);
        update.run();
    }
    transaction.commit();
}

RunStore::RunStore(const std::filesystem::path& file) : m_database(std::make_unique<Database>(file)) {
    try {
        m_database->closeRunsOfDeadProcesses();
    } catch (const StoreError&) {
        // A full disk or a file that may only be read: the runs can still be looked at, and are shown as interrupted.
    }
}

RunStore::~RunStore() = default;
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;

std::int64_t RunStore::begin(const values::ExperimentConfig& config, const values::Environment& environment,
                             const std::string& dataName) {
    Statement insert(m_database->connection,
                     "INSERT INTO runs(status, owner, config, environment, data_name, started_at)"
                     " VALUES('running', ?, ?, ?, ?, ?)");
    insert.bind(1, ownIdentity())
        .bind(2, values::jsonText(values::toJson(config), -1))
        .bind(3, values::jsonText(values::toJson(environment), -1))
        .bind(4, dataName)
        .bind(5, utcNow());
    insert.run();
    return m_database->connection.lastInsertedId();
}

void RunStore::reopen(std::int64_t id, std::int64_t step, int epoch,
                      const std::optional<values::ExperimentConfig>& config) {
    Transaction transaction(m_database->connection);
    const std::optional<StoredRun> found = run(id);
    if (!found) {
        throw StoreError(fmt::format("There is no run {} in the history; `halfstep runs list` shows the runs.", id));
    }
    if (found->status == RunStatus::Running) {
        throw StoreError(fmt::format("Run {} is still running and cannot be gone on with; stop it first.", id));
    }
    Statement(m_database->connection, "UPDATE runs SET status = 'running', owner = ?2, ended_at = '', message = '',"
                                      " loss = NULL, accuracy = NULL WHERE id = ?1")
        .bind(1, id)
        .bind(2, ownIdentity())
        .run();
    if (config) {
        Statement(m_database->connection, "UPDATE runs SET config = ?2 WHERE id = ?1")
            .bind(1, id)
            .bind(2, values::jsonText(values::toJson(*config), -1))
            .run();
    }
    for (const char* sql :
         {"DELETE FROM steps WHERE run = ? AND step > ?", "DELETE FROM numerics WHERE run = ? AND step > ?"}) {
        Statement(m_database->connection, sql).bind(1, id).bind(2, step).run();
    }
    Statement(m_database->connection, "DELETE FROM epochs WHERE run = ? AND epoch > ?")
        .bind(1, id)
        .bind(2, epoch)
        .run();
    transaction.commit();
}

void RunStore::record(std::int64_t run, const values::RunEvent& event) {
    if (const auto* step = std::get_if<StepRecord>(&event)) {
        auto& insert = m_database->insertStep;
        if (!insert) {
            insert.emplace(m_database->connection, "INSERT INTO steps VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        }
        insert->bind(1, run).bind(2, step->step).bind(3, step->epoch).bind(4, step->batchSize);
        insert->bind(5, step->loss).bind(6, step->accuracy).bind(7, step->stepMilliseconds);
        insert->bind(8, step->dataWaitMilliseconds).bind(9, step->lossScale).bind(10, step->skipped ? 1 : 0);
        insert->bind(11, step->firstNonFinite).bind(12, step->lostUpdates);
        insert->run();
    } else if (const auto* numerics = std::get_if<values::NumericsRecord>(&event)) {
        m_database->insertNumerics(run, *numerics);
    } else if (const auto* epoch = std::get_if<EpochRecord>(&event)) {
        auto& insert = m_database->insertEpoch;
        if (!insert) {
            insert.emplace(m_database->connection, "INSERT INTO epochs VALUES(?, ?, ?, ?, ?, ?, ?)");
        }
        insert->bind(1, run).bind(2, epoch->epoch).bind(3, epoch->loss).bind(4, epoch->accuracy);
        insert->bind(5, epoch->valLoss).bind(6, epoch->valAccuracy).bind(7, epoch->seconds);
        insert->run();
    }
}

void RunStore::finish(std::int64_t run, const values::RunSummary& summary) {
    Statement update(m_database->connection,
                     "UPDATE runs SET status = ?2, ended_at = ?3, steps = ?4, skipped_steps = ?5, epochs = ?6,"
                     " median_step_ms = ?7, peak_bytes = ?8, message = ?9, loss = ?10, accuracy = ?11 WHERE id = ?1");
    update.bind(1, run).bind(2, values::nameOf(summary.status)).bind(3, utcNow());
    update.bind(4, summary.steps).bind(5, summary.skippedSteps).bind(6, summary.epochs);
    update.bind(7, summary.medianStepMilliseconds).bind(8, summary.peakBytes).bind(9, summary.message);
    update.bind(10, summary.loss).bind(11, summary.accuracy);
    update.run();
}

std::vector<StoredRun> RunStore::runs() const {
    Statement select(m_database->connection, std::string(kSelectRuns) + " ORDER BY r.id DESC");
    std::vector<StoredRun> found;
    while (select.next()) {
        found.push_back(m_database->runFrom(select));
    }
    return found;
}

std::optional<StoredRun> RunStore::run(std::int64_t id) const {
    Statement select(m_database->connection, std::string(kSelectRuns) + " WHERE r.id = ?");
    select.bind(1, id);
    return select.next() ? std::optional(m_database->runFrom(select)) : std::nullopt;
}

std::vector<StepRecord> RunStore::steps(std::int64_t run) const {
    return m_database->steps(run);
}

std::vector<EpochRecord> RunStore::epochs(std::int64_t run) const {
    return m_database->epochs(run);
}

bool RunStore::remove(std::int64_t id) {
    Transaction transaction(m_database->connection);
    const std::optional<StoredRun> found = run(id);
    if (!found) {
        return false;
    }
    if (found->status == RunStatus::Running) {
        throw StoreError(fmt::format("Run {} is still running and cannot be deleted; stop it first.", id));
    }
    for (const char* sql : {"DELETE FROM steps WHERE run = ?", "DELETE FROM epochs WHERE run = ?",
                            "DELETE FROM numerics WHERE run = ?", "DELETE FROM runs WHERE id = ?"}) {
        Statement(m_database->connection, sql).bind(1, id).run();
    }
    transaction.commit();
    return true;
}

} // namespace halfstep::store
